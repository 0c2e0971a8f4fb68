// Alignment: where two traces of the same program meet in time, and what parts of them are compared.
//
// Pure functions, any thread; nanoseconds since the start of each trace. Steps that warm up are left
// out of what is compared; a step lasts from its start to the start of the next one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/analysis/steps.h"
#include "core/base/result.h"

namespace overlane
{

enum class AlignBy : std::uint8_t { Step, FirstKernel };

struct AlignmentWish {
    std::optional<AlignBy> by;        // none: by step where both sides have steps
    std::optional<std::size_t> step;  // place in order from 0; none: each side's first settled step
};

struct AlignedSide {
    Interval range;               // what is compared
    std::int64_t anchorNs = 0;    // the moment that meets the other side's
    std::vector<Interval> steps;  // of the range, one after the other; empty without steps
    std::string firstStep;        // its name
};

struct Alignment {
    AlignBy by = AlignBy::Step;
    AlignedSide a, b;

    // Add to a time of A to get the time of B that lies beside it.
    std::int64_t offsetNs() const { return b.anchorNs - a.anchorNs; }
    bool perStep() const { return !a.steps.empty() && !b.steps.empty(); }
};

// Fails where a step is wished for that a side does not have, or a kernel where it has none.
Result<Alignment> align(const Analysis& analysisA, const StepSequence& stepsA, const Analysis& analysisB,
                        const StepSequence& stepsB, const AlignmentWish& wish);

}  // namespace overlane
