// Pyramid: sums and maxima over ranges of events, so that a million events answer like a few.
//
// A tree of branching 16 over event indices: each node holds the busy time of its events, the longest
// of them and which kinds of host memory its copies use. Built once per trace in O(events); a query
// costs at most about 32 steps a level, of which there are log16(events). Adds about one byte per
// event, and one more per event from the first copy to the last. The trace must outlive it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/trace/trace.h"

namespace overlane
{

// A set of kinds of memory, as far as they look different: what the copies of a pixel have in common.
using MemorySet = std::uint8_t;
constexpr MemorySet kLockedMemory = 1;  // pinned, device, array
constexpr MemorySet kPageableMemory = 2;
constexpr MemorySet kManagedMemory = 4;
constexpr MemorySet kUnknownMemory = 8;
// Of the host's side of one copy; empty for other events.
MemorySet memorySet(const Trace& trace, EventIndex event);

class Pyramid
{
public:
    static constexpr std::uint32_t kBranching = 16;

    struct Summary {
        std::int64_t busyNs = 0;
        EventIndex longest;  // the first of the longest; none for an empty range
        MemorySet memory = 0;
    };

    explicit Pyramid(const Trace& trace);

    // Over the events [range.first, range.last) in order of index, whatever track they are on.
    Summary summary(EventRange range) const;
    // As memorySet(), without a search.
    MemorySet memory(std::uint32_t event) const
    {
        const std::uint32_t place = event - m_firstCopy;  // wraps below the first copy
        return place < m_memory.size() ? m_memory[place] : MemorySet{0};
    }
    const Trace& trace() const { return *m_trace; }
    std::size_t bytes() const;

private:
    struct Node {
        std::int64_t busyNs = 0;
        std::uint32_t longest = 0;
        MemorySet memory = 0;
    };
    void findCopies();
    void addEvents(std::uint32_t first, std::uint32_t last, Summary& sum, std::int64_t& longestNs) const;

    const Trace* m_trace;
    std::uint32_t m_firstCopy = 0;
    std::vector<MemorySet> m_memory;          // from the first copy to the last
    std::vector<std::vector<Node>> m_levels;  // m_levels[0]: one node per 16 events
};

}  // namespace overlane
