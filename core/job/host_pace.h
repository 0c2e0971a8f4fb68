// HostPace: what a step takes of the host by itself, without waiting for the device.
//
// The device of a rank waits for the other ranks in every collective, and a host that waits for its device waits for
// them too. What is left of a step, the threads that launch at work, in their loader or blocked by copies, is the
// rank's own: no step of it can be shorter. Left out are calls that wait for the device, and launches and asynchronous
// copies that take longer than kLongLaunchNs, since these wait for room in the device's queue. Built once per trace;
// keeps no reference to it. Immutable; any thread; nanoseconds.
#pragma once

#include <cstdint>

#include "core/analysis/analysis.h"
#include "core/analysis/interval_set.h"
#include "core/trace/trace.h"

namespace overlane
{

constexpr std::int64_t kLongLaunchNs = 100'000;

class HostPace
{
public:
    // Of the threads that launch on a device.
    HostPace(const Trace& trace, const Analysis& analysis, std::int32_t device);

    // 0 where no thread launches on the device.
    std::int64_t ownNs(Interval step) const;
    std::int64_t loaderNs(Interval step) const { return m_loader.measureNs(step); }
    std::int64_t copyNs(Interval step) const { return m_copies.measureNs(step); }
    // Blocked by calls while the device only communicates.
    std::int64_t heldNs(Interval step) const { return m_held.measureNs(step); }

private:
    bool m_isKnown = false;
    IntervalSet m_waits;
    IntervalSet m_loader;
    IntervalSet m_copies;
    IntervalSet m_held;
};

}  // namespace overlane
