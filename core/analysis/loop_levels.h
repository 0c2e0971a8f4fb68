// Loop levels: the nested loops of a program, found in what it asks of its GPU (gpu_requests.h).
//
// A loop shows in requests that it makes exactly once per iteration: whatever else an iteration holds, and
// however much of it, these take turns, a b c a b c. Requests with the same token that take turns with each
// other are a family; each family is a level, with as many iterations as its members have requests. Neither
// lengths nor inner loops that vary, nor work of other phases, break the order of a family. Per level:
//
//   weight    how many kinds of work, not of waits, are its own: once per iteration of this level
//   steady    the time in iterations of usual length, which leaves out pauses and phases between them
//
// The program's own loop is the outermost level, the one with the fewest iterations (at least four), that
// is steady for most of the time that any level is, and that has work of its own: a level that only adds a
// few requests to every n-th iteration of another one (a log, an epoch's end) is no loop around it.
//
// A loop that asks for nothing once per iteration shows where the iterations of another one come in groups of the same
// number (loop_groups.h). It is the program's own where no other level is: phases that take turns; or where the host
// does other work for long behind each group (loop_evidence.h).
//
// A level begins where, between two of its members, the longest pause usually ends. Costs a few passes over
// the requests. Pure; any thread; nanoseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/gpu_requests.h"
#include "core/analysis/loop_evidence.h"
#include "core/analysis/loop_iterations.h"
#include "core/base/work_meter.h"

namespace overlane
{

// Below this confidence a level is not the program's loop.
constexpr double kLeastLoopConfidence = 0.75;

struct LoopLevel {
    std::string name;  // of the first of its own requests
    std::size_t iterations = 0;
    std::int64_t medianNs = 0;  // from one to the next
    std::int64_t steadyNs = 0;
    std::size_t weight = 0;
};

struct LoopLevels {
    std::vector<LoopLevel> levels;      // outermost first
    std::optional<std::size_t> chosen;  // the program's own loop, or the one that was wished for

    LoopIterations iterations;  // of the chosen one
};

// `wished` is a place among the levels; without it, the program's own loop. A wish that cannot be met leaves
// nothing chosen. `evidence` is what else the trace shows.
LoopLevels findLoopLevels(const GpuRequests& requests, std::optional<std::size_t> wished = {},
                          const WorkMeter& work = {}, const LoopEvidence* evidence = nullptr);

}  // namespace overlane
