// Device steps: the steps of a trace as its devices run them.
//
// A program marks its steps on the host, and a host that runs ahead finishes a step long before the
// device does: over a short recording its marks follow each other faster than any device could work,
// and the rest is paid at the end. A step on the device begins with the first kernel that was launched
// within the step and ends where the next one begins; the last has no next one and is left out.
// Pure, any thread; nanoseconds.
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/analysis/steps.h"
#include "core/trace/trace.h"

namespace overlane
{

// Same names and numbers, the device's times and marks, one step less. The steps as they are where
// they are fewer than three or were found on the device, where some step launched nothing, or where the
// trace does not tell which call launched what.
StepSequence deviceSteps(const Trace& trace, const Analysis& analysis, const StepSequence& steps);

// What a step costs: the mean of those that are no warm-up. 0 without any.
std::int64_t meanStepNs(const std::vector<Step>& steps);

}  // namespace overlane
