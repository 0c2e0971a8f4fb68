// What holds a job back where no rank is named slow: the largest part of the median rank's step without compute, and
// what to do about it.
//
// Pure functions, any thread. Nanoseconds.
#pragma once

#include <cstdint>
#include <optional>

#include "core/content/block.h"
#include "core/job/job_figures.h"

namespace overlane
{

// Less of the step is nothing to begin with: then it is Compute.
constexpr double kLeastHeldBack = 0.1;

struct HeldBack {
    RankPart part = RankPart::Compute;
    std::int64_t partNs = 0;  // of the median rank's step, or its range
    std::int64_t stepNs = 0;
};

// None of a single rank, of GPUs of one process and without times.
std::optional<HeldBack> heldBack(const Job& job, const JobFigures& figures);

// "No rank is slow: ..." where the ranks could be compared and none takes longer; else "No rank is named: ...".
Blocks heldBackBlocks(const HeldBack& held, const JobFigures& figures, const JobAnalysis& analysis);

}  // namespace overlane
