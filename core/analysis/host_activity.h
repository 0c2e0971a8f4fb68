// What the host did over a whole trace: when the GPU runtime held a thread, and how busy the
// loader's actors were.
//
// Built once per trace, immutable afterwards, no reference to the trace is kept. Nanoseconds.
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/interval_set.h"
#include "core/trace/trace.h"

namespace overlane
{

struct HostActivity {
    // Times in which at least one host thread was held by the GPU runtime: events of kind
    // "host blocked" and "sync" on host tracks, runtime calls named *Synchronize, and calls that
    // started a synchronous or pageable host copy. Waiting for a queue of the loader is not in it.
    IntervalSet blocked;
    // Working (not waiting) time of each loader actor. Empty for traces that name no actors: an
    // imported trace shows operators on a thread, not whether the thread worked or waited.
    std::vector<IntervalSet> actorWork;

    // The busiest single actor's working time in a range: no schedule can be shorter than that.
    // 0 where the trace names no actors.
    std::int64_t criticalNs(Interval range) const;
};

HostActivity hostActivity(const Trace& trace);

}  // namespace overlane
