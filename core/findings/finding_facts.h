// FindingFacts: what the rules need to know of a whole trace, arranged so that any range is answered
// by binary search: whose every idle moment, held moment and copy is, and the events that show it.
//
// Built once per trace, linear in its events; immutable, keeps no reference; any thread may read it.
// Nanoseconds.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/analysis/interval_set.h"
#include "core/analysis/kernel_record.h"
#include "core/base/work_meter.h"
#include "core/findings/finding.h"
#include "core/trace/trace.h"

namespace overlane
{

// An event that shows what a rule is about, by its start.
struct RuleEvidence {
    std::int64_t startNs = 0;
    EventIndex event;
};

class FindingFacts
{
public:
    FindingFacts(const Trace& trace, const Analysis& analysis, const WorkMeter& work = {});

    // Idle time of a device, in the place of the analysis' devices, that belongs to a rule. The sets
    // of one device are disjoint.
    const IntervalSet& idle(std::size_t device, RuleId rule) const { return m_devices[device].idle[at(rule)]; }
    // The part of RuleId::HostLate in which no record says what the host did.
    const IntervalSet& hostNotShown(std::size_t device) const { return m_devices[device].hostNotShown; }
    // Time in which a rule holds a host thread; disjoint too.
    const IntervalSet& held(RuleId rule) const { return m_held[at(rule)]; }
    // In order of start.
    const std::vector<RuleEvidence>& evidence(RuleId rule) const { return m_evidence[at(rule)]; }
    // Whose a copy is, beside the analysis' h2dCopies and d2hCopies.
    const std::vector<RuleId>& h2dOwners(std::size_t device) const { return m_devices[device].h2dOwners; }
    const std::vector<RuleId>& d2hOwners(std::size_t device) const { return m_devices[device].d2hOwners; }

    // How much longer a copy took than its link needs, beside the same.
    const std::vector<std::int64_t>& h2dExcessesNs(std::size_t device) const { return m_devices[device].h2dExcessesNs; }
    const std::vector<std::int64_t>& d2hExcessesNs(std::size_t device) const { return m_devices[device].d2hExcessesNs; }

    // What the host link of a device carries in one direction, bytes per second: by what the trace says of
    // it, else by the GPU's name; 0 = unknown.
    double linkBytesPerSecond(std::size_t device) const { return m_devices[device].linkBytesPerSecond; }
    KernelRecord kernelRecord() const { return m_kernelRecord; }
    bool hasMemoryGauges() const { return m_hasMemoryGauges; }
    // Share of time in which the machine had a task waiting for memory; empty without such a gauge.
    const IntervalSet& memoryPressure() const { return m_memoryPressure; }

private:
    class Builder;
    struct Device {
        std::array<IntervalSet, kRuleCount> idle;
        IntervalSet hostNotShown;
        std::vector<RuleId> h2dOwners;
        std::vector<RuleId> d2hOwners;
        std::vector<std::int64_t> h2dExcessesNs;
        std::vector<std::int64_t> d2hExcessesNs;
        double linkBytesPerSecond = 0;
    };

    static std::size_t at(RuleId rule) { return static_cast<std::size_t>(rule); }

    std::vector<Device> m_devices;
    std::array<IntervalSet, kRuleCount> m_held;
    std::array<std::vector<RuleEvidence>, kRuleCount> m_evidence;
    IntervalSet m_memoryPressure;
    KernelRecord m_kernelRecord = KernelRecord::All;
    bool m_hasMemoryGauges = false;
};

}  // namespace overlane
