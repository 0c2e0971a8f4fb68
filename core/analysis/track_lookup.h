// Finds events of one row of a trace by time: a row's events are disjoint and ascend, so each search
// is binary, plus a few steps past events that the caller does not want. Any thread; nanoseconds.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/trace/trace.h"

namespace overlane
{

// Events of other kinds that a search steps over before it gives up.
constexpr int kLookupSteps = 256;

// The place in a row of the first event that ends after a time.
inline std::uint32_t firstEndingAfter(const Trace& trace, EventRange row, std::int64_t timeNs)
{
    std::uint32_t low = row.first;
    std::uint32_t high = row.last;
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (trace.interval(EventIndex(middle)).endNs <= timeNs)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

template <typename Wanted>
EventIndex lastEndingBy(const Trace& trace, EventRange row, std::int64_t timeNs, Wanted wanted)
{
    std::uint32_t at = firstEndingAfter(trace, row, timeNs);
    for (int steps = 0; at > row.first && steps < kLookupSteps; ++steps)
        if (--at; wanted(EventIndex(at)))
            return EventIndex(at);
    return {};
}

template <typename Wanted>
EventIndex firstStartingFrom(const Trace& trace, EventRange row, std::int64_t timeNs, Wanted wanted)
{
    std::uint32_t at = firstEndingAfter(trace, row, timeNs);
    for (int steps = 0; at < row.last && steps < kLookupSteps; ++steps, ++at)
        if (trace.interval(EventIndex(at)).startNs >= timeNs && wanted(EventIndex(at)))
            return EventIndex(at);
    return {};
}

// The event that covers most of an interval.
template <typename Wanted>
EventIndex longestOver(const Trace& trace, EventRange row, Interval interval, Wanted wanted)
{
    EventIndex best;
    std::int64_t mostNs = 0;
    std::uint32_t at = firstEndingAfter(trace, row, interval.startNs);
    for (int steps = 0; at < row.last && steps < kLookupSteps; ++steps, ++at) {
        const EventIndex event(at);
        if (trace.interval(event).startNs >= interval.endNs)
            break;
        const std::int64_t coveredNs = trace.interval(event).intersected(interval).lengthNs();
        if (coveredNs > mostNs && wanted(event)) {
            mostNs = coveredNs;
            best = event;
        }
    }
    return best;
}

}  // namespace overlane
