// Paced steps: whether something outside of the program sets the time of its steps, a display, a camera or a timer.
//
// Such steps take the same time however long their work on the GPU takes: the host waits for the rest. What is lost
// then is waiting, and faster work would make no step shorter. Pure; any thread; linear in the steps. Nanoseconds.
#pragma once

#include <vector>

#include "core/analysis/device_activity.h"
#include "core/analysis/steps.h"
#include "core/base/interval.h"

namespace overlane
{

// Of the steps in a range without warm-up. Not where the device fills them.
bool arePaced(const std::vector<Step>& steps, const DeviceActivity& device, Interval range);

}  // namespace overlane
