// Steps found from the pattern in which the GPU work of a trace repeats.
//
// The kernels and copies of the device with most kernels, in order of start, are a word of names. A
// name that occurs once per step cuts the word into windows; the cut whose windows hold the same names
// equally often is the pattern, and the part of the work that does is its confidence. Costs a few
// passes over the device's work. Pure; any thread; nanoseconds.
#pragma once

#include <vector>

#include "core/base/interval.h"
#include "core/trace/trace.h"

namespace overlane
{

struct StepPattern {
    std::vector<Interval> steps;    // contiguous; the last one ends with its work
    std::int64_t usualPauseNs = 0;  // between the work of two steps, in the median
    double confidence = 0;          // 0 to 1
};

// No steps where nothing repeats at least four times.
StepPattern findStepPattern(const Trace& trace);

}  // namespace overlane
