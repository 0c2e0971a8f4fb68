// A half-open interval of time [startNs, endNs), in nanoseconds since the start of the trace.
#pragma once

#include <algorithm>
#include <cstdint>

namespace overlane
{

struct Interval {
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;

    constexpr std::int64_t lengthNs() const { return endNs - startNs; }
    constexpr bool empty() const { return endNs <= startNs; }
    constexpr bool contains(std::int64_t timeNs) const { return timeNs >= startNs && timeNs < endNs; }
    constexpr bool overlaps(Interval other) const { return startNs < other.endNs && other.startNs < endNs; }
    // The common part; empty() where there is none.
    constexpr Interval intersected(Interval other) const
    {
        return {std::max(startNs, other.startNs), std::min(endNs, other.endNs)};
    }

    friend constexpr bool operator==(Interval, Interval) = default;
};

}  // namespace overlane
