// Fills in the causes and the hidden time of every copy of a device from what device and host did, and whether its link
// is too narrow. Linear in the number
// of copies, with binary searches; nanoseconds. Pure; any thread.
#pragma once

#include <vector>

#include "core/analysis/device_activity.h"
#include "core/analysis/host_activity.h"
#include "core/trace/trace.h"

namespace overlane
{

// Where all streams of the program that are not the default one are non-blocking ones, as those of PyTorch, none waits
// for the legacy default stream.
void judgeCopies(const Trace& trace, const HostActivity& host, DeviceActivity& device,
                 bool hasNonBlockingStreams = false, const WorkMeter& work = {});

// What the order of a thread's calls tells of a copy. Events are none where there is no such call.
struct CallsAround {
    EventIndex waitAfter;   // the host waited for the copy right after asking for it
    EventIndex syncBefore;  // the host waited for kernels before asking for it
    EventIndex streamWait;  // some stream was told to wait right before it
};
CallsAround callsAround(const Trace& trace, const HostActivity& host, const DeviceActivity& device,
                        const CopyRecord& copy);
// The row that says the copy's stream waits, written after the stream's previous work; else none.
EventIndex streamWaitBefore(const Trace& trace, const DeviceActivity& device, const CopyRecord& copy);
// From the call, or as far back as the copy is long where the trace has no call, to its start.
Interval pendingOf(const Trace& trace, const CopyRecord& copy);

}  // namespace overlane
