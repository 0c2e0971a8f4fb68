// Step times of a schedule: when each step began, what a step takes, and what it keeps busy.
//
// Pure functions, any thread. Nanoseconds.
#pragma once

#include "core/replay/program.h"
#include "core/replay/schedule.h"

namespace overlane
{

// Fills in everything of a schedule that follows from the times of its calls and tasks.
void fillStepTimes(const ReplayProgram& program, Schedule& schedule, const WorkMeter& work);

// Share of the judged steps in which a device does anything: kernels, or copies that the host does not stage.
double deviceBusyShare(const ReplayProgram& program, const Schedule& schedule, const WorkMeter& work);

}  // namespace overlane
