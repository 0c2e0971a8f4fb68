// Steps: the training steps or batches of a trace, found from what the trace itself marks.
//
// Pure functions of an immutable trace, any thread. Times in nanoseconds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/summary.h"
#include "core/base/interval.h"
#include "core/trace/trace.h"

namespace overlane
{

struct Step {
    Interval interval;
    std::string name;         // as in the trace: "ProfilerStep#12", "iteration 3"
    std::int64_t number = 0;  // the number at the end of the name, else the place in order from 0
};

// Events of kind Step where there are any (profiler steps, the loader's batches), else user ranges
// that repeat and are named "step", "iteration", "iter" or "batch" with a number. Where several
// tracks mark steps, host tracks win over device tracks, then the track with the most steps. In
// order of start; steps of a loader may overlap.
std::vector<Step> findSteps(const Trace& trace);

// The whole steps that lie in a range.
std::vector<Step> stepsWithin(const std::vector<Step>& steps, Interval range);

// One summary per step, in the order of the steps.
std::vector<Summary> stepSummaries(const Analysis& analysis, const std::vector<Step>& steps);

// Mean time between the starts of consecutive steps (the length of a single one): the time
// a step takes when steps overlap. 0 without steps.
std::int64_t stepTimeNs(const std::vector<Step>& steps);

}  // namespace overlane
