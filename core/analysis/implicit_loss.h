// Implicit loss: which kind of call explains idle time of a device best, though its name is no synchronization.
//
// Of what is lost to synchronization by the waits that emptied the device, of what is lost to a late host by the time
// that the launching threads spent in calls that allocate or load (core/analysis/implicit_wait.h). Pure; any thread;
// nanoseconds.
#pragma once

#include "core/analysis/device_activity.h"
#include "core/analysis/host_activity.h"
#include "core/analysis/implicit_wait.h"
#include "core/analysis/lost_time.h"
#include "core/base/interval.h"

namespace overlane
{

struct ImplicitLoss {
    ImplicitWait kind = ImplicitWait::None;
    std::int64_t lostNs = 0;
};

// The kind with the most time in a range; None for causes other than Sync and Host.
ImplicitLoss implicitLoss(LostCause cause, const LostTime& lost, const DeviceActivity& device, const HostActivity& host,
                          Interval range);

}  // namespace overlane
