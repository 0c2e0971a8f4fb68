#include "core/analysis/memory_activity.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>
#include <string_view>

namespace overlane
{
namespace
{

// Slower than this, swap does not hold anybody up for long: idle pages of other programs leave.
constexpr double kWorthNamingBytesPerSecond = 10e6;
constexpr double kNsPerSecond = 1e9;

// The first gauge of a unit whose name holds a word, whatever its case.
const CounterSeries* findGauge(const Trace& trace, std::string_view word, CounterUnit unit)
{
    for (const CounterSeries& series : trace.counters()) {
        std::string lower(trace.track(series.track).name);
        std::transform(lower.begin(), lower.end(), lower.begin(),
                       [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
        if (series.unit == unit && lower.find(word) != std::string::npos)
            return &series;
    }
    return nullptr;
}

BytesOverTime bytesOf(const CounterSeries* gauge)
{
    BytesOverTime result;
    if (!gauge)
        return result;
    result.timesNs = gauge->timesNs;
    result.bytes.reserve(gauge->values.size());
    for (const double value : gauge->values)
        result.bytes.push_back(value > 0 && value < 1e18 ? static_cast<std::int64_t>(value) : 0);
    return result;
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
    memory.pinned = bytesOf(findGauge(trace, "pinned", CounterUnit::Bytes));
    if (const CounterSeries* traffic = findGauge(trace, "swap", CounterUnit::BytesPerSecond))
        memory.swapping = whereTrafficIsHigh(*traffic, trace.span().endNs);
    else
        memory.swapping = whereUseChangesFast(memory.swapUsed);
    return memory;
}

}  // namespace overlane
