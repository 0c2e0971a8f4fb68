// The active range of a trace, which a verdict of the whole trace is about.
//
// Where the steps are known, from the first that is no warm-up to the last and the GPU work that the last one left
// behind; else from the first GPU work after compilation and warm-up, as long pauses show them, to the last; else all
// of it. What a program does before and after, imports for one, is not what people ask about. Pure; any thread.
// Nanoseconds.
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/analysis/steps.h"
#include "core/base/interval.h"

namespace overlane
{

struct ActiveRange {
    Interval range;
    bool bySteps = false;
    std::int64_t beforeNs = 0;  // left out
    std::int64_t warmUps = 0;   // steps
    std::int64_t warmUpNs = 0;  // of them, or before the first steady GPU work
    std::int64_t afterNs = 0;
};
ActiveRange activeRange(const Analysis& analysis, const std::vector<Step>& steps);

}  // namespace overlane
