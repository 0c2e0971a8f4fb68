// Pyramid: sums and maxima over ranges of events, so that a million events answer like a few.
//
// A tree of branching 16 over event indices: each node holds the busy time of its events, the longest
// of them with its kind and which kinds of host memory its copies use; beside it the start of each sixteenth event, so
// that a search stays in few lines of cache. Built once per trace in O(events); a query costs at most about
// 32 steps a level, of which there are log16(events). Adds about two bytes per event, and one more per
// event from the first copy to the last. The trace must outlive it. Immutable; any thread.
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
        std::int64_t longestNs = -1;
        EventIndex longest;                    // the first of the longest; none for an empty range
        EventKind kind = EventKind::HostWork;  // of that one
        MemorySet memory = 0;
    };

    explicit Pyramid(const Trace& trace);

    // Over the events [range.first, range.last) in order of index, whatever track they are on.
    Summary summary(EventRange range) const;
    // The first event of [first, last), a part of one row, that starts at `timeNs` or later, up to `slackNs`
    // later where that is cheaper (firstInGroups()); `last` where none does.
    std::uint32_t firstFrom(std::uint32_t first, std::uint32_t last, std::int64_t timeNs,
                            std::int64_t slackNs = 0) const;
    // As the trace's columns say, from what lies side by side where the event begins a group.
    std::int64_t startNs(std::uint32_t event) const
    {
        return event % kBranching == 0 ? m_startNs[event / kBranching] : m_trace->columns().startNs[event];
    }
    bool isShorter(std::uint32_t event, std::int64_t thanNs) const
    {
        return (!m_levels.empty() && m_levels[0][event / kBranching].longestNs < thanNs) ||
               m_trace->columns().durationNs[event] < thanNs;
    }
    // As memorySet(), without a search.
    MemorySet memory(std::uint32_t event) const
    {
        const std::uint32_t place = event - m_firstCopy;  // wraps below the first copy
        return place < m_memory.size() ? m_memory[place] : MemorySet{0};
    }
    // Whether the trace has events of a kind; and all kinds of memory that its copies use.
    bool has(EventKind kind) const { return (m_kinds >> static_cast<unsigned>(kind) & 1) != 0; }
    MemorySet memory() const { return m_copiesMemory; }
    const Trace& trace() const { return *m_trace; }
    // Has what a search or a summary that ends about here reads fetched into the cache.
    void hintCache(std::uint32_t index) const;
    std::size_t bytes() const;

private:
    struct Node {
        std::int64_t busyNs = 0;
        std::int64_t longestNs = -1;
        std::uint32_t longest = 0;
        EventKind kind = EventKind::HostWork;  // of the longest
        MemorySet memory = 0;
    };
    void findCopies();
    void addEvents(std::uint32_t first, std::uint32_t last, Summary& sum) const;

    const Trace* m_trace;
    std::uint32_t m_kinds = 0;  // a bit for each
    MemorySet m_copiesMemory = 0;
    std::uint32_t m_firstCopy = 0;
    std::vector<MemorySet> m_memory;          // from the first copy to the last
    std::vector<std::vector<Node>> m_levels;  // m_levels[0]: one node per 16 events
    std::vector<std::int64_t> m_startNs;      // of the first event of each of these
};

}  // namespace overlane
