// Schedule: the times at which a program's calls, GPU work and batches happen when it runs.
//
// schedule() goes through the calls once in their order, so its cost is linear. Work on a stream runs in
// order; engines that were exclusive run one task at a time. Pure, any thread. Nanoseconds.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/base/work_meter.h"
#include "core/replay/prediction.h"
#include "core/replay/program.h"

namespace overlane
{

struct Schedule {
    struct Batch {
        std::int64_t workStartNs = 0;
        std::int64_t pinStartNs = 0;
        std::int64_t readyNs = 0;
        std::uint32_t worker = 0;
    };
    std::vector<Interval> calls;              // by place in ReplayProgram::calls
    std::vector<std::int64_t> taskStartNs;    // by place in ReplayProgram::tasks
    std::vector<std::vector<Batch>> batches;  // by loader, and place in LoaderProgram::batches

    // What the step times are made of, by step of the program.
    std::vector<std::int64_t> stepStartNs;
    std::vector<std::int64_t> gpuDoneNs;  // end of all work asked for before the step

    std::int64_t stepNs = 0;  // mean over the judged steps, see prediction.h
    std::vector<std::int64_t> stepTimesNs;
    std::array<std::int64_t, kBottleneckCount> busyNs{};  // per judged step
    Bottleneck bottleneck = Bottleneck::Waiting;
};

Schedule schedule(const ReplayProgram& program, const WorkMeter& work = {});
// The same figures of the trace as it was measured.
Schedule measuredSchedule(const ReplayProgram& program, const WorkMeter& work = {});

}  // namespace overlane
