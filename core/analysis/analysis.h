// Summary: how busy each device was in a range, how much of its copies lay under kernels, and how
// far the range is from what its own parts would allow.
//
// Analysis is built once per trace (seconds of trace, tens of milliseconds of work; do it on a
// worker) and then answers any range by binary search, so a summary may follow the mouse. It
// owns everything it needs and keeps no reference to the trace. Immutable; any thread.
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
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/device_activity.h"
#include "core/analysis/host_activity.h"
#include "core/analysis/host_stacks.h"
#include "core/analysis/lost_time.h"
#include "core/analysis/program_traits.h"
#include "core/base/interval.h"
#include "core/base/work_meter.h"
#include "core/trace/trace.h"

namespace overlane
{

struct StepSequence;

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

class Analysis
{
public:
    explicit Analysis(const Trace& trace, const WorkMeter& work = {});
    // By iterations that somebody chose among the trace's loops (stepsOfLevel()).
    Analysis(const Trace& trace, StepSequence iterations, const WorkMeter& work = {});
    Analysis(Analysis&&) = default;  // records keep their place when a vector moves
    Analysis& operator=(Analysis&&) = default;
    Analysis(const Analysis&) = delete;
    Analysis& operator=(const Analysis&) = delete;
    ~Analysis() = default;

    Summary summarise(std::optional<Interval> range = {}) const;

    Interval span() const { return m_span; }
    const std::vector<DeviceActivity>& devices() const { return m_devices; }
    // Devices with GPU work that are not among them: more than kMostDevices.
    std::size_t devicesLeftOut() const { return m_devicesLeftOut; }
    const HostActivity& host() const { return m_host; }
    const MemoryActivity& memory() const { return m_memory; }
    // Those chosen, else as detectSteps() finds them; what copies carry is told from their order in these, and where
    // they were chosen also from that in those found.
    const StepSequence& steps() const { return *m_steps; }
    const ProgramTraits& program() const { return m_program; }
    const HostStacks& stacks() const { return m_stacks; }
    // Copies of a list in order of start whose start lies in the range, by the rule above.
    std::pair<std::size_t, std::size_t> startingIn(const std::vector<CopyRecord>& copies, Interval range) const;
    // Time without kernels of a device by its cause, over the whole trace; nullptr where it has no GPU work.
    const LostTime* lost(std::int32_t device) const;
    // The record of a copy event; nullptr for any other event.
    const CopyRecord* copyRecord(EventIndex event) const;

private:
    Analysis(const Trace& trace, const JudgedDevices& judged, StepSequence iterations, const WorkMeter& work);

    Interval m_span;
    std::vector<DeviceActivity> m_devices;
    std::size_t m_devicesLeftOut = 0;
    HostActivity m_host;
    MemoryActivity m_memory;
    std::shared_ptr<const StepSequence> m_steps;
    ProgramTraits m_program;
    HostStacks m_stacks;
    std::vector<LostTime> m_lost;                                    // beside m_devices
    std::vector<std::pair<EventIndex, const CopyRecord*>> m_copies;  // by event
};

// For one-off use; builds an Analysis and asks it once.
Summary summarise(const Trace& trace, std::optional<Interval> range = {});

}  // namespace overlane
