// Launching gaps: idle time in which the host does nothing but launch, though more slowly than the GPU works.
//
// Between two launches of an eager framework there may be some hundred microseconds of its own code: autograd, the
// bookkeeping of modules, the arguments of an operator. Calls alone do not tell that from a program's work between
// launches; stacks do. Gaps of up to a millisecond that end with a kernel or a memset belong to LaunchBound where most
// of the samples that lie in such gaps are in a framework that launches; longer ones stay with the host. Without
// stacks nothing changes. After lostTime(); pure; any thread; nanoseconds.
#pragma once

#include "core/analysis/device_activity.h"
#include "core/analysis/host_activity.h"
#include "core/analysis/host_stacks.h"
#include "core/analysis/lost_time.h"
#include "core/trace/trace.h"

namespace overlane
{

void giveLaunching(const Trace& trace, const DeviceActivity& device, const HostActivity& host, const HostStacks& stacks,
                   LostTime& lost, const WorkMeter& work = {});

}  // namespace overlane
