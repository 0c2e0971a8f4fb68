// What the parts of Replay share: the plan of a changed program, its schedule with the GPU's clock, and how far
// processes of one program lie apart. For the files of core/replay/replay*.cpp.
//
// Pure functions, any thread. Nanoseconds.
#pragma once

#include <cstdint>
#include <span>

#include "core/base/work_meter.h"
#include "core/replay/program.h"
#include "core/replay/replay.h"
#include "core/replay/schedule.h"

namespace overlane
{

// A change of the GPU's clock of less than this is left out.
constexpr double kClockMatters = 0.005;
// What two processes of one setting differ by where the host's work on memory decides, or the thread that launches:
// a standard deviation over the settings of the matrix in docs/validation/whatif.md. Its small batches and the ordinary
// programs there, where the launching thread decides, lie as far apart.
constexpr double kProcessSpread = 0.11;
// The same where kernels decide, or the trace does not show its loader.
constexpr double kLeastProcessSpread = 0.03;

struct Replay::Plan {
    const ReplayProgram& program;
    const Schedule& schedule;
    std::int64_t coolNs;    // the step with a clock that does not fall
    std::int64_t steadyNs;  // and when what the loader had made before is used up
};

bool has(std::span<const Change> changes, ChangeKind kind);
// Of a step in which kernels run.
double computeShare(const Schedule& schedule);
// The schedule of a changed program, with the clock that the GPU has at so much work; `share` is that of kernels
// without the change.
Schedule scheduleAtClock(ReplayProgram& program, double share, const Trace& trace, const WorkMeter& work);
// What one process of such a program differs by from another: a standard deviation as a share of its step.
double processSpread(const Trace& trace, const ReplayProgram& program, Bottleneck bottleneck);

}  // namespace overlane
