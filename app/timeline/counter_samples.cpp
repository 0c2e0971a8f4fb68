#include "app/timeline/counter_samples.h"

#include <algorithm>

#include "core/lod/cache_hint.h"
#include "core/lod/group_search.h"
#include "core/lod/time_scale.h"

namespace overlane
{

std::optional<double> valueAt(const CounterSeries& series, std::int64_t timeNs)
{
    const auto next = std::upper_bound(series.timesNs.begin(), series.timesNs.end(), timeNs);
    if (next == series.timesNs.begin())
        return {};
    return series.values[static_cast<std::size_t>(next - series.timesNs.begin()) - 1];
}

CounterSamples counterSamples(const CounterPyramid& pyramid, Interval range, std::int64_t endNs, int widthPx)
{
    CounterSamples samples;
    const CounterSeries& series = pyramid.series();
    const auto& times = series.timesNs;
    const Interval measured{range.startNs, std::min(range.endNs, endNs)};
    if (widthPx <= 0 || measured.empty() || times.empty())
        return samples;
    const TimeScale scale(range, widthPx);
    // Exact, whatever rounding made of the division.
    const auto columnOf = [&](std::int64_t timeNs) {
        int column = std::min(static_cast<int>(scale.toPx(timeNs)), widthPx - 1);
        column += column + 1 < widthPx && scale.columnStartNs(column + 1, widthPx) <= timeNs ? 1 : 0;
        return column - (scale.columnStartNs(column, widthPx) > timeNs ? 1 : 0);
    };
    const std::int64_t slackNs = range.lengthNs() / widthPx / kBorderSlack;
    const auto indexAt = [&](std::int64_t timeNs) {
        return static_cast<std::uint32_t>(std::lower_bound(times.begin(), times.end(), timeNs) - times.begin());
    };
    std::uint32_t first = indexAt(measured.startNs);
    const std::uint32_t last = indexAt(measured.endNs);
    // The value that holds at the left edge.
    if (first > 0 && (first == times.size() || times[first] > measured.startNs))
        samples.columns.push_back({0, pyramid.extremes(first - 1, first), series.values[first - 1]});
    while (first < last) {
        const int column = columnOf(pyramid.timeNs(first));
        const std::int64_t borderNs = scale.columnStartNs(column + 1, widthPx);
        const std::uint32_t next = pyramid.firstFrom(first + 1, last, borderNs, slackNs, &samples.looked);
        hintCache(series.values, next - 1);
        // The next column most likely ends as far behind this one's end.
        pyramid.hintCache(std::min(last, next + (next - first)));
        const CounterColumn found{column, pyramid.extremes(first, next, &samples.looked), series.values[next - 1]};
        if (!samples.columns.empty() && samples.columns.back().px == column) {
            CounterColumn& before = samples.columns.back();
            before.values.lowest = std::min(before.values.lowest, found.values.lowest);
            before.values.highest = std::max(before.values.highest, found.values.highest);
            before.last = found.last;
        } else {
            samples.columns.push_back(found);
        }
        first = next;
    }
    samples.endPx = columnOf(measured.endNs);
    return samples;
}

}  // namespace overlane
