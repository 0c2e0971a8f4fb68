// The loader inside the memory experiment's control group: what it does and what it reports.
//
// Runs in a forked process of its own until it is killed or its owner dies. Each batch is read from
// the data (page cache), written into the next place of the working set (ordinary memory) and copied
// into the next place of the page-locked memory, as a worker and a pin thread would. Memory is used
// in turn, so that whatever is out is needed again soon. Bytes and nanoseconds.
#pragma once

#include <cstdint>

#include "core/pressure/pressure_plan.h"
#include "core/system/cgroup.h"

namespace overlane
{

struct PressureReading {
    enum class Kind : std::int32_t {
        Batch,     // value: how long it took, in ns
        Locked,    // value: page-locked by now, in bytes; the step's batches follow
        StepDone,  // the step's last; waits to be told to go on, so that its gauges can be read
        Refused,   // value: errno of what was refused; the last reading
        Done,      // the last
    };
    Kind kind = Kind::Batch;
    std::int32_t step = 0;
    std::int64_t value = 0;
};

// In the child of a fork(): writes PressureReadings to `readings`, takes a byte from `go` after each step,
// and never returns.
[[noreturn]] void runPressureWorker(const PressurePlan& plan, const MemoryGroup& group, pid_t owner, int readings,
                                    int go);

}  // namespace overlane
