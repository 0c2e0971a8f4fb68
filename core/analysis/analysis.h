// Analysis: the activity of a trace's devices and host, prepared so that any range is answered by binary search.
//
// Built once per trace (seconds of trace, tens of milliseconds of work; do it on a worker); a Summary of a range may
// then follow the mouse. It owns everything it needs and keeps no reference to the trace. Immutable; any thread.
// Nanoseconds.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/device_activity.h"
#include "core/analysis/host_activity.h"
#include "core/analysis/host_stacks.h"
#include "core/analysis/lost_time.h"
#include "core/analysis/program_traits.h"
#include "core/analysis/summary.h"
#include "core/base/interval.h"
#include "core/base/work_meter.h"
#include "core/trace/trace.h"

namespace overlane
{

struct StepSequence;

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

    Summary summarize(std::optional<Interval> range = {}) const;

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
    // Copies of a list in order of start whose start lies in the range, as a Summary counts them.
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
Summary summarize(const Trace& trace, std::optional<Interval> range = {});

}  // namespace overlane
