#include "app/timeline/gauge_order.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "app/timeline/track_layout.h"
#include "core/base/exact_time.h"
#include "core/trace/track_names.h"

namespace overlane
{

namespace
{

constexpr double kMostWhole = 9.0e15;  // beyond, a double holds no single units
constexpr double kFewBytes = 1 << 20;  // CUDA itself pins some bytes

}  // namespace

std::vector<GaugeChoice> gaugeOrder(const TracePyramids& pyramids, const TrackArrangement& arrangement)
{
    const Trace& trace = *pyramids.trace;
    std::vector<GaugeChoice> gauges;
    for (const CounterPyramid& counter : pyramids.counters)
        if (!counter.series().timesNs.empty())
            gauges.push_back({&counter, arrangement.of(trackPath(trace, counter.series().track)), 0});
    const auto name = [&](const GaugeChoice& gauge) { return trace.track(gauge.counter->series().track).name; };
    std::stable_sort(gauges.begin(), gauges.end(), [&](const GaugeChoice& a, const GaugeChoice& b) {
        return gaugeRank(name(a)) < gaugeRank(name(b));
    });
    std::stable_partition(gauges.begin(), gauges.end(), [&](const GaugeChoice& gauge) {
        const double highest = gauge.counter->highestValue();
        if (gauge.counter->series().unit == CounterUnit::Bytes && highest < kFewBytes)
            return false;
        return gauge.counter->lowestValue() != highest || (highest > 0 && name(gauge) == kPinnedMemoryCounter);
    });
    for (std::size_t i = 0; i < gauges.size(); ++i)
        gauges[i].color = i;
    std::stable_sort(gauges.begin(), gauges.end(), [](const GaugeChoice& a, const GaugeChoice& b) {
        constexpr int kLast = std::numeric_limits<int>::max();
        return a.look.place.value_or(kLast) < b.look.place.value_or(kLast);
    });
    return gauges;
}

std::string gaugeTitle(const TracePyramids& pyramids, TrackId gauge)
{
    const Trace& trace = *pyramids.trace;
    const Track& track = trace.track(gauge);
    const bool alone =
        std::none_of(pyramids.counters.begin(), pyramids.counters.end(), [&](const CounterPyramid& other) {
            const TrackId at = other.series().track;
            return at != gauge && !other.series().timesNs.empty() && trace.track(at).name == track.name;
        });
    return alone || !track.parent.valid() ? track.name
                                          : fmt::format("{} \u00b7 {}", track.name, trace.track(track.parent).name);
}

std::vector<std::string> gaugesMoved(const TracePyramids& pyramids, const TrackArrangement& arrangement, TrackId gauge,
                                     int by)
{
    const std::vector<GaugeChoice> order = gaugeOrder(pyramids, arrangement);
    std::vector<std::string> paths;
    std::ptrdiff_t own = -1;
    for (const GaugeChoice& each : order) {
        if (each.counter->series().track == gauge)
            own = static_cast<std::ptrdiff_t>(paths.size());
        paths.push_back(trackPath(*pyramids.trace, each.counter->series().track));
    }
    if (own < 0)
        return {};
    for (std::ptrdiff_t to = own + by; to >= 0 && to < std::ssize(order); to += by)
        if (!order[static_cast<std::size_t>(to)].look.hidden) {
            const std::string moved = paths[static_cast<std::size_t>(own)];
            paths.erase(paths.begin() + own);
            paths.insert(paths.begin() + to, moved);
            return paths;
        }
    return {};
}

std::optional<Interval> extremeAt(const CounterPyramid& counter, bool highest, std::int64_t endNs)
{
    const CounterSeries& series = counter.series();
    const double wanted = highest ? counter.highestValue() : counter.lowestValue();
    const auto found = std::find(series.values.begin(), series.values.end(), wanted);
    if (found == series.values.end())
        return std::nullopt;
    const auto at = static_cast<std::size_t>(found - series.values.begin());
    std::size_t after = at + 1;
    while (after < series.values.size() && series.values[after] == wanted)
        ++after;
    const std::int64_t startNs = series.timesNs[at];
    return Interval{startNs, std::max(startNs, after < series.timesNs.size() ? series.timesNs[after] : endNs)};
}

std::string exactValue(CounterUnit unit, double value)
{
    std::string digits = std::abs(value) < kMostWhole && value == std::floor(value) ? fmt::format("{:.0f}", value)
                                                                                    : fmt::format("{}", value);
    switch (unit) {
        case CounterUnit::Bytes:
            return digits + " B";
        case CounterUnit::Nanoseconds:
            return std::abs(value) < kMostWhole ? formatExactTime(static_cast<std::int64_t>(value)) : digits + " ns";
        case CounterUnit::BytesPerSecond:
            return digits + " B/s";
        case CounterUnit::Percent:
            return digits + " %";
        case CounterUnit::Count:
            break;
    }
    return digits;
}

}  // namespace overlane
