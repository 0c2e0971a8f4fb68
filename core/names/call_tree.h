// Call tree: host time of a range by who calls whom, as a flame graph draws it, from callers down or from calls up.
//
// At every moment the stack of a thread is the events that are open on it, the earliest first; the innermost gets the
// moment as self time. Calls that nest add up as they lie; of two that overlap, the later one is inside the earlier
// one while that lasts, and counts on its own afterwards. So the tree sums to the time in which anything is open.
// Pure functions, any thread. Memory grows with paths, not with events; both the paths and their depth have a limit,
// beyond which calls are left out and their time is that of their callers. From calls up, the callers of the least time
// are left out. Linear in events, as long as they nest.
// Nanoseconds, clipped to the range.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

namespace overlane
{

enum class CallSource : std::uint8_t {
    Events,   // operators, calls, ranges and Python lines, as recorded with their times
    Samples,  // stacks that were looked at now and then
};

// Tracks with such events: threads and a loader's actors, or their stacks. Those that repeat others are left out.
std::vector<TrackId> callTracks(const Trace& trace, CallSource source);
// Recorded events where there are any, else samples.
CallSource bestCallSource(const Trace& trace);
// The name of a track, with its process where `withProcess`.
std::string callTrackName(const Trace& trace, TrackId track, bool withProcess);
bool ofSeveralProcesses(const Trace& trace, const std::vector<TrackId>& tracks);
// Of a range without its number, of any other without a number behind a space: batches and steps differ by it alone.
// Of an event without a name, its kind.
std::string_view callName(const Trace& trace, EventIndex event);

struct CallQuery {
    std::optional<Interval> range;  // none: the whole trace
    CallSource source = CallSource::Events;
    std::vector<TrackId> tracks;  // of callTracks(); empty: all of them
    bool byThread = false;        // the outermost calls of each thread lie below the thread
};

class CallTree
{
public:
    static constexpr std::uint32_t kMostNodes = 1 << 18;
    static constexpr std::uint32_t kMostDepth = 512;

    // In the order of a walk from the root, which is the first: a node, then all below it, the most time first.
    struct Node {
        std::uint32_t parent = 0;  // the root's is the root
        std::uint32_t name = 0;    // in names()
        std::uint32_t depth = 0;
        std::uint32_t last = 0;  // behind the last node below it
        std::int64_t selfNs = 0;
        std::int64_t totalNs = 0;
        std::int64_t count = 0;  // events; from calls up: of the outermost node on the way
    };

    CallTree() = default;
    const std::vector<Node>& nodes() const { return m_nodes; }
    const Node& root() const { return m_nodes.front(); }
    // No time at all.
    bool empty() const { return m_nodes.size() < 2; }
    const std::vector<std::string>& names() const { return m_names; }
    const std::string& name(std::uint32_t node) const { return m_names[m_nodes[node].name]; }
    std::uint32_t depth() const { return m_depth; }  // of the deepest node
    bool fromCallsUp() const { return m_fromCallsUp; }
    // Calls beyond the limits.
    std::int64_t leftOut() const { return m_leftOut; }
    // Below `node` and in it, of nodes with such a name, nested ones once; beside names().
    std::int64_t matchedNs(const std::vector<bool>& names, std::uint32_t node = 0) const;

private:
    friend class CallTreeBuilder;

    std::vector<Node> m_nodes{Node{.last = 1}};
    std::vector<std::string> m_names{"all"};
    std::uint32_t m_depth = 0;
    std::int64_t m_leftOut = 0;
    bool m_fromCallsUp = false;
};

// An Error only where cancelled or where memory does not suffice.
Result<CallTree> callTree(const Trace& trace, const CallQuery& query, Progress& progress);
// From calls up: below the root every name with its self time, below it its callers. Sums to the same.
Result<CallTree> invertedTree(const CallTree& tree, Progress& progress);
// The events of that name that reach into the range, in order of start. An Error only where cancelled.
Result<std::vector<EventIndex>> eventsOfCall(const Trace& trace, const std::string& name, const CallQuery& query,
                                             Progress& progress);

}  // namespace overlane
