#include "app/timeline/step_samples.h"

#include <algorithm>

#include "core/lod/time_scale.h"

namespace overlane
{

StepSamples stepSamples(const CounterSeries& series, Interval range, int widthPx)
{
    StepSamples samples;
    if (widthPx <= 0 || range.empty() || series.timesNs.empty())
        return samples;
    const auto& times = series.timesNs;
    const auto indexAt = [&](std::int64_t timeNs) {
        return static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), timeNs) - times.begin());
    };
    std::size_t first = indexAt(range.startNs);
    const std::size_t last = indexAt(range.endNs);
    const auto add = [&](std::size_t i) { samples.points.push_back({times[i], series.values[i]}); };
    // The value that holds at the left edge.
    if ((first == times.size() || times[first] > range.startNs) && first > 0)
        samples.points.push_back({range.startNs, series.values[first - 1]});

    if (last - first <= 4 * static_cast<std::size_t>(widthPx)) {
        for (; first < last; ++first)
            add(first);
    } else {
        const TimeScale scale(range, widthPx);
        for (int x = 0; x < widthPx && first < last; ++x) {
            const std::size_t end = std::min(last, indexAt(scale.columnStartNs(x + 1, widthPx)));
            if (first == end)
                continue;
            const auto [low, high] = std::minmax_element(series.values.begin() + static_cast<std::ptrdiff_t>(first),
                                                         series.values.begin() + static_cast<std::ptrdiff_t>(end));
            std::size_t kept[] = {first, static_cast<std::size_t>(low - series.values.begin()),
                                  static_cast<std::size_t>(high - series.values.begin()), end - 1};
            std::sort(std::begin(kept), std::end(kept));
            const auto keptEnd = std::unique(std::begin(kept), std::end(kept));
            std::for_each(std::begin(kept), keptEnd, add);
            first = end;
        }
    }
    if (!samples.points.empty() && samples.points.back().timeNs < range.endNs)
        samples.points.push_back({range.endNs, samples.points.back().value});
    return samples;
}

}  // namespace overlane
