// HostMarks: events that stand for a rule by themselves, found by going through a trace once: calls
// that page-lock memory, hazards that were noted, migrations of unified memory; and the gauge of
// memory pressure. Owns what it holds; immutable, any thread; nanoseconds.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "core/analysis/host_activity.h"
#include "core/analysis/interval_set.h"
#include "core/findings/finding.h"
#include "core/trace/trace.h"

namespace overlane
{

struct HostMarks {
    struct Mark {
        RuleId rule = RuleId::None;
        std::int64_t startNs = 0;
        EventIndex event;
    };
    std::vector<Mark> marks;
    // Time in calls that page-lock or release host memory, on any thread, and by the thread's track.
    IntervalSet pinning;
    std::map<TrackId, IntervalSet> pinningOf;
    IntervalSet memoryPressure;  // a task waited for memory for much of the time
    bool hasMemoryGauges = false;

    IntervalSet pinningOfLaunchingThreads(const HostActivity& host) const;
};

HostMarks hostMarks(const Trace& trace, const WorkMeter& work = {});

}  // namespace overlane
