// Gap threads: which threads of the host may explain that a device was idle.
//
// The thread whose call asked for the work that ended a gap is the one that was late; what others do at the
// time, a reader of results that waits for its own event for one, kept no work from the device. Where the
// trace has no such call, all threads that launch on the device stand for it. Where that thread shows nothing,
// it may have waited for the thread that launched the work before the gap, as PyTorch's thread of the backward
// pass waits for the training thread: that one explains the rest, if it launches kernels, too. Linear in the gaps
// and the times of the threads; borrows host and device. Any thread; nanoseconds.
#pragma once

#include <vector>

#include "core/analysis/device_activity.h"
#include "core/analysis/host_activity.h"

namespace overlane
{

// Some gaps of a device, and what the host did that may explain them.
struct GapsOfThread {
    const HostTime* time = nullptr;
    const IntervalSet* copyWaits = nullptr;
    IntervalSet gaps;
    std::vector<const HostActivity::LaunchingThread*> threads;
};

struct GapThreads {
    std::vector<GapsOfThread> own;         // every gap is in one of them
    std::vector<GapsOfThread> handedOver;  // gaps whose work before was launched by another thread, which stands here
};
GapThreads gapThreads(const DeviceActivity& device, const HostActivity& host, const WorkMeter& work = {});

// The threads that may explain the gap around a time, those to be asked first at the front; outside gaps all that
// launch on the device.
std::vector<std::vector<const HostActivity::LaunchingThread*>> threadsBehind(const DeviceActivity& device,
                                                                             const HostActivity& host,
                                                                             std::int64_t timeNs);

}  // namespace overlane
