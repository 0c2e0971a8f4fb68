// Summary: how busy each device was in a range, how much of its copies lay under kernels, and how far the range is
// from what its own parts would allow. Plain values; Analysis::summarize() makes them.
//
// With H, D, C the unions of host-to-device, device-to-host and kernel intervals in the range:
//   overlap = |H n C| / |H|, exposed = |H| - |H n C|,
//   ideal = max(|H|, |D|, |C|, |N|, host-critical time), distance = wall / ideal,
// with N that of communication between GPUs.
// Busy times are clipped to the range; counts and bytes are those of events that start in it
// (an event that starts at the very end of the trace belongs to a range that ends there).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/lost_time.h"
#include "core/base/interval.h"

namespace overlane
{

struct DeviceSummary {
    std::int32_t id = 0;
    std::string name;

    std::int64_t kernels = 0;         // that compute
    std::int64_t communications = 0;  // kernels and copies between GPUs
    std::int64_t h2d = 0;
    std::int64_t d2h = 0;
    std::int64_t otherCopies = 0;
    std::int64_t h2dPinned = 0;
    std::int64_t h2dPageable = 0;
    std::int64_t h2dUnknown = 0;  // neither pinned nor pageable is known: unknown, managed, device
    std::int64_t h2dBytes = 0;
    std::int64_t d2hBytes = 0;

    std::int64_t kernelBusyNs = 0;
    std::int64_t h2dBusyNs = 0;
    std::int64_t d2hBusyNs = 0;
    std::int64_t h2dHiddenNs = 0;
    std::int64_t d2hHiddenNs = 0;
    std::int64_t exposedCopyNs = 0;
    std::int64_t communicationBusyNs = 0;
    std::int64_t communicationHiddenNs = 0;
    std::int64_t exposedCommunicationNs = 0;
    std::int64_t idleNs = 0;  // neither kernel, copy nor memset
    // Time without kernels by its cause; the sum is wallNs - kernelBusyNs.
    std::array<std::int64_t, kLostCauseCount> lostNs{};

    double overlapShare = 0;  // 0 where there is no host-to-device copy
    std::int64_t idealNs = 0;
    std::int64_t wallNs = 0;
    double distance = 0;  // 0 where ideal is 0
};

struct Summary {
    Interval range;
    std::vector<DeviceSummary> devices;  // those with GPU work anywhere in the trace, by id
    std::int64_t hostBlockedNs = 0;      // at least one thread held by the GPU runtime
    std::int64_t hostCriticalNs = 0;     // busiest loader actor; 0 where unknown

    // The device with the most exposed copy and communication, then the most kernel time; nullptr without devices.
    const DeviceSummary* worst() const;
};

}  // namespace overlane
