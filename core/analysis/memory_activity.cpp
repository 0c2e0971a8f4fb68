#include "core/analysis/memory_activity.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/saturated.h"

namespace overlane
{
namespace
{

// Slower than this, swap does not hold anybody up for long: idle pages of other programs leave.
constexpr double kWorthNamingBytesPerSecond = 10e6;
constexpr double kNsPerSecond = 1e9;

// Of a unit and with a name that holds a word, whatever its case.
std::vector<const CounterSeries*> findGauges(const Trace& trace, std::string_view word, CounterUnit unit)
{
    std::vector<const CounterSeries*> found;
    for (const CounterSeries& series : trace.counters()) {
        std::string lower(trace.track(series.track).name);
        std::transform(lower.begin(), lower.end(), lower.begin(),
                       [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
        if (series.unit == unit && lower.find(word) != std::string::npos)
            found.push_back(&series);
    }
    return found;
}

// The machine's, of which there is one.
const CounterSeries* findGauge(const Trace& trace, std::string_view word, CounterUnit unit)
{
    const std::vector<const CounterSeries*> found = findGauges(trace, word, unit);
    return found.empty() ? nullptr : found.front();
}

// The last recorded moment of a process: what it had in use by then is free. None for what is no process.
std::optional<std::int64_t> endOfProcess(const Trace& trace, TrackId track)
{
    while (trace.track(track).parent.valid())
        track = trace.track(track).parent;
    if (trace.track(track).kind != TrackKind::Process)
        return {};
    std::optional<std::int64_t> endNs;
    std::vector<TrackId> open{track};
    while (!open.empty()) {
        const Track& each = trace.track(open.back());
        open.pop_back();
        open.insert(open.end(), each.children.begin(), each.children.end());
        for (const EventRange row : each.rows)
            endNs = std::max(endNs.value_or(0), trace.interval(EventIndex(row.last - 1)).endNs);
    }
    return endNs;
}

std::int64_t bytesOf(double value)
{
    return value > 0 && value < 1e18 ? static_cast<std::int64_t>(value) : 0;
}

BytesOverTime bytesOf(const CounterSeries* gauge)
{
    BytesOverTime result;
    if (!gauge)
        return result;
    result.timesNs = gauge->timesNs;
    result.bytes.reserve(gauge->values.size());
    for (const double value : gauge->values)
        result.bytes.push_back(bytesOf(value));
    return result;
}

// Of several processes, each until it ends.
BytesOverTime sumOf(const Trace& trace, const std::vector<const CounterSeries*>& gauges)
{
    if (gauges.size() < 2)
        return bytesOf(gauges.empty() ? nullptr : gauges.front());
    struct Change {
        std::int64_t timeNs;
        std::int64_t bytes;  // more than before
    };
    std::vector<Change> changes;
    for (const CounterSeries* gauge : gauges) {
        std::int64_t lastBytes = 0;
        for (std::size_t at = 0; at < gauge->timesNs.size(); ++at) {
            const std::int64_t nowBytes = bytesOf(gauge->values[at]);
            changes.push_back({gauge->timesNs[at], nowBytes - std::exchange(lastBytes, nowBytes)});
        }
        if (const auto endNs = endOfProcess(trace, gauge->track); endNs && !gauge->timesNs.empty())
            changes.push_back({std::max(*endNs, gauge->timesNs.back()), -lastBytes});
    }
    std::stable_sort(changes.begin(), changes.end(),
                     [](const Change& a, const Change& b) { return a.timeNs < b.timeNs; });
    BytesOverTime sum;
    std::int64_t bytes = 0;
    for (const Change& change : changes) {
        bytes = saturatedSum(bytes, change.bytes);
        if (sum.timesNs.empty() || sum.timesNs.back() != change.timeNs) {
            sum.timesNs.push_back(change.timeNs);
            sum.bytes.push_back(bytes);
        }
        sum.bytes.back() = bytes;
    }
    return sum;
}

IntervalSet whereTrafficIsHigh(const CounterSeries& traffic, std::int64_t endNs)
{
    IntervalSet moving;
    for (std::size_t at = 0; at < traffic.timesNs.size(); ++at)
        if (traffic.values[at] >= kWorthNamingBytesPerSecond)
            moving.add({traffic.timesNs[at], at + 1 < traffic.timesNs.size() ? traffic.timesNs[at + 1] : endNs});
    return moving;
}

IntervalSet whereUseChangesFast(const BytesOverTime& used)
{
    IntervalSet moving;
    for (std::size_t at = 1; at < used.timesNs.size(); ++at) {
        const Interval between{used.timesNs[at - 1], used.timesNs[at]};
        const auto bytes = static_cast<double>(std::abs(used.bytes[at] - used.bytes[at - 1]));
        if (bytes > 0 && bytes * kNsPerSecond >= kWorthNamingBytesPerSecond * static_cast<double>(between.lengthNs()))
            moving.add(between);
    }
    return moving;
}

}  // namespace

std::int64_t BytesOverTime::at(std::int64_t timeNs) const
{
    const auto after = std::upper_bound(timesNs.begin(), timesNs.end(), timeNs);
    return after == timesNs.begin() ? 0 : bytes[static_cast<std::size_t>(after - timesNs.begin()) - 1];
}

std::int64_t BytesOverTime::peak(Interval range) const
{
    std::int64_t most = at(range.startNs);
    auto next = std::upper_bound(timesNs.begin(), timesNs.end(), range.startNs);
    for (; next != timesNs.end() && *next < range.endNs; ++next)
        most = std::max(most, bytes[static_cast<std::size_t>(next - timesNs.begin())]);
    return most;
}

MemoryActivity memoryActivity(const Trace& trace)
{
    MemoryActivity memory;
    memory.swapUsed = bytesOf(findGauge(trace, "swap", CounterUnit::Bytes));
    memory.pinned = sumOf(trace, findGauges(trace, "pinned", CounterUnit::Bytes));
    if (const CounterSeries* traffic = findGauge(trace, "swap", CounterUnit::BytesPerSecond))
        memory.swapping = whereTrafficIsHigh(*traffic, trace.span().endNs);
    else
        memory.swapping = whereUseChangesFast(memory.swapUsed);
    return memory;
}

}  // namespace overlane
