// The predicted timeline as a trace: the tracks of the measured one, under the same names, with every
// event at the time that the schedule gives it.
//
// Calls, GPU work, loader lanes and steps are placed as scheduled; what a thread did between its calls
// moves and stretches with them. Gauges are left out: nothing predicts them. Pure, any thread.
#pragma once

#include <span>

#include "core/base/progress.h"
#include "core/base/work_meter.h"
#include "core/replay/change.h"
#include "core/replay/program.h"
#include "core/replay/schedule.h"
#include "core/trace/trace.h"

namespace overlane
{

// `work` is counted for the same `progress`; throws WorkMeter::Cancelled where that is cancelled.
Trace predictedTrace(const Trace& measured, const ReplayProgram& program, const Schedule& schedule,
                     std::span<const Change> changes, const Progress* progress, const WorkMeter& work);

}  // namespace overlane
