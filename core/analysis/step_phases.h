// Step phases: which marks of a loader belong to one iteration, and which iterations to one loop.
//
// A loader marks the taking of a batch. A program that gathers gradients takes several before it computes on any:
// they are one iteration. One that makes its loader anew for each epoch marks each epoch on a track of its own:
// they are one loop where an iteration asks as much of the GPU, unlike a validation. And marks reach over whatever
// comes between two of them. Pure; any thread; nanoseconds.
#pragma once

#include <vector>

#include "core/analysis/step_marks.h"
#include "core/analysis/steps.h"
#include "core/base/work_meter.h"
#include "core/trace/trace.h"

namespace overlane
{

// stepMarks(), put together so. A loader marks a batch when the next one is asked for: where a program takes no more,
// the last iteration is the work behind the last mark, if that is what iterations ask for.
std::vector<StepMarks> iterationMarks(const Trace& trace, const WorkMeter& work = {});

// A step that is long and asks for far more than the others, an epoch's last before a validation, or the last of all
// before results are saved, ends where it has asked for as much as they do; one that is long because the host waits for
// its device asks for no more.
void leaveOutOtherPhases(const Trace& trace, StepSequence& found, const WorkMeter& work = {});

}  // namespace overlane
