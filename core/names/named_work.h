// Named work: what ran in a range, one row for each name: kernels, copies by size, calls, host work, ranges, functions.
//
// Pure functions, any thread; memory grows with the events counted (8 bytes each) while they run. An event belongs to
// the range in which it starts, and counts with its whole duration, so that count, sum and mean are of the same events.
// Nanoseconds, bytes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/content/block.h"
#include "core/trace/trace.h"

namespace overlane
{

// What is listed together. Every kind of event belongs to one, but the profiler's own time, which belongs to none.
enum class WorkGroupKind : std::uint8_t {
    Kernels,
    Copies,     // by direction, memory and size; fills of memory, too
    Calls,      // of the CUDA runtime and driver, and waits for the device
    HostWork,   // operators, Python lines, workers of a loader
    Ranges,     // steps, and what the program marks by itself
    Functions,  // on sampled stacks
};
constexpr int kWorkGroupKindCount = 6;

struct WorkGroupRow {
    WorkGroupKind kind;
    std::string_view id;     // "host-work"
    std::string_view title;  // "Host work"
    bool nests;              // work lies inside other work: has a time of its own
};
const std::array<WorkGroupRow, kWorkGroupKindCount>& workGroups();
const WorkGroupRow& rowOf(WorkGroupKind kind);
std::optional<WorkGroupKind> groupOf(EventKind kind);

// What events of one row have in common.
struct WorkKey {
    EventKind kind = EventKind::Kernel;
    StringId name;          // none for copies, which are alike where memory and bytes agree, and for ranges
    std::string_view stem;  // of ranges: "step" of "step 12"; lives as long as the trace
    MemoryKind memory = MemoryKind::Unknown;  // of copies: the host's side
    std::int64_t bytes = 0;                   // of copies: of each
    friend bool operator==(const WorkKey&, const WorkKey&) = default;
};

WorkKey keyOf(const Trace& trace, EventIndex event);

struct NamedWork {
    WorkKey key;
    std::string name;  // "H2D 38.5 MiB, pageable" for copies
    std::int64_t count = 0;
    std::int64_t totalNs = 0;
    std::int64_t selfNs = 0;     // less the work of any kind inside it on the same track
    std::int64_t exposedNs = 0;  // of copies to and from the host: not under kernels of their device
    std::int64_t bytes = 0;      // of all
    std::int64_t medianNs = 0;
    std::int64_t highNs = 0;  // ninety-fifth percentile
    std::int64_t longestNs = 0;
    EventIndex longest;  // the first of the longest ones

    std::int64_t meanNs() const { return count > 0 ? totalNs / count : 0; }
};

struct NameQuery {
    WorkGroupKind group = WorkGroupKind::Kernels;
    std::optional<Interval> range;  // none: the whole trace
    std::int64_t leastNs = 0;       // shorter events are left out
};

// Most time first: self time where work nests, else all. An Error only where cancelled.
Result<std::vector<NamedWork>> namedWork(const Trace& trace, const Analysis& analysis, const NameQuery& query,
                                         Progress& progress);
// The events of such a row, in order of start. An Error only where cancelled.
Result<std::vector<EventIndex>> eventsOf(const Trace& trace, const WorkKey& key, const NameQuery& query,
                                         Progress& progress);
// A row for each, in the same order. Shares are of the sum over all rows of the time they are sorted by.
Table nameTable(const std::vector<NamedWork>& work, WorkGroupKind group);

}  // namespace overlane
