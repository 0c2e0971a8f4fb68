// SettledWork: what of a trace that still grows can be judged.
//
// The driver hands its records of GPU work over later than the host's calls are recorded: at the end of
// such a trace the device seems idle and is not. Settled is what lies before the last record of the device
// that is furthest behind. Pure, any thread. Nanoseconds.
#pragma once

#include <vector>

#include "core/analysis/analysis.h"
#include "core/analysis/steps.h"
#include "core/base/interval.h"

namespace overlane
{

struct SettledWork {
    Interval range;           // empty before the first record of GPU work
    std::vector<Step> steps;  // the whole ones in it
};

SettledWork settledWork(const Analysis& analysis, const std::vector<Step>& steps);

}  // namespace overlane
