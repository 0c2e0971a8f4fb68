// RunPace: the part of a run that goes at the pace of a long one, from the start of one batch to the start of
// a later one.
//
// Left out are the batches in flight when the loader started and when it ran dry (workers x
// prefetch_factor at either end, and those on the device); what is left counts in whole rounds of the
// workers, for batches come in bursts of one from each. A run too short for that counts as a whole.
// Pure function, any thread. Nanoseconds.
#pragma once

#include <cstdint>

#include "core/analysis/steps.h"
#include "core/base/interval.h"
#include "core/loader/scenario.h"

namespace overlane
{

struct RunPace {
    Interval range;
    std::int64_t batches = 0;  // begun in the range; at least 1

    double batchNs() const { return perBatch(range.lengthNs()); }
    double perBatch(std::int64_t ns) const { return static_cast<double>(ns) / static_cast<double>(batches); }
};

RunPace runPace(const Scenario& scenario, const StepSequence& steps, std::int64_t wallNs);

}  // namespace overlane
