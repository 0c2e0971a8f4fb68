// Pyramid: sums and maxima over ranges of events, so that a million events answer like a few.
//
// A tree of branching 16 over event indices: each node holds the busy time of its events and the
// longest of them. Built once per trace in O(events); a query costs at most about 32 steps a level,
// of which there are log16(events). Adds less than one byte per event. The trace must outlive it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/trace/trace.h"

namespace overlane
{

class Pyramid
{
public:
    static constexpr std::uint32_t kBranching = 16;

    struct Summary {
        std::int64_t busyNs = 0;
        EventIndex longest;  // the first of the longest; none for an empty range
    };

    explicit Pyramid(const Trace& trace);

    // Over the events [range.first, range.last) in order of index, whatever track they are on.
    Summary summary(EventRange range) const;
    const Trace& trace() const { return *m_trace; }
    std::size_t bytes() const;

private:
    struct Node {
        std::int64_t busyNs = 0;
        std::uint32_t longest = 0;
    };
    void addEvents(std::uint32_t first, std::uint32_t last, Summary& sum, std::int64_t& longestNs) const;

    const Trace* m_trace;
    std::vector<std::vector<Node>> m_levels;  // m_levels[0]: one node per 16 events
};

}  // namespace overlane
