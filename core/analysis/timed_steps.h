// Timed steps: the steps of an analysis as they are judged and shown, on the host or on the device behind it.
//
// A host that runs ahead finishes a step as soon as all of it is queued, so over a short recording its steps follow
// each other faster than any device could work, and the rest is paid at the end. A step then takes the device's time.
// Pure, any thread; linear in the device's work. Nanoseconds.
#pragma once

#include "core/analysis/analysis.h"
#include "core/analysis/steps.h"
#include "core/base/work_meter.h"
#include "core/trace/trace.h"

namespace overlane
{

// Where the device ends the work of the last step later than the host by a tenth of all steps' time, they are the
// device's: from the first work that a step issued, or the end of the step before, to the end of its last work. The
// analysis' own where the trace does not tell which call issued what, or a step issued nothing.
StepSequence timedSteps(const Trace& trace, const Analysis& analysis, const WorkMeter& work = {});

}  // namespace overlane
