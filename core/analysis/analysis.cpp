#include "core/analysis/analysis.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "core/analysis/copy_judge.h"
#include "core/analysis/copy_roles.h"
#include "core/analysis/kernel_record.h"
#include "core/analysis/launching_gaps.h"
#include "core/analysis/steps.h"
#include "core/base/saturated.h"

namespace overlane
{
namespace
{

// Events at the very end of the trace have no range after them: they count for the last one.
Interval countingRange(Interval range, Interval span)
{
    return {range.startNs, range.endNs >= span.endNs ? std::numeric_limits<std::int64_t>::max() : range.endNs};
}

std::int64_t countStarts(const std::vector<std::int64_t>& startsNs, Interval range)
{
    const auto first = std::lower_bound(startsNs.begin(), startsNs.end(), range.startNs);
    const auto last = std::lower_bound(first, startsNs.end(), std::max(range.startNs, range.endNs));
    return last - first;
}

// Where a recording left kernels out, that none runs says nothing: the time is no cause's.
void forgetUnrecorded(const DeviceActivity& device, KernelRecord record, Interval span, LostTime& lost)
{
    IntervalSet unrecorded;
    if (record == KernelRecord::None)
        unrecorded.add(span);
    const IntervalSet gaps = device.kernels.gaps(span);  // lives as long as the loop
    if (record != KernelRecord::None)
        for (const Interval gap : gaps.intervals())
            if (gap.lengthNs() >= kKernelWindowNs)
                unrecorded.add(gap);
    IntervalSet& unknown = lost[static_cast<std::size_t>(LostCause::Unknown)];
    for (IntervalSet& cause : lost)
        if (&cause != &unknown) {
            unknown = unite(unknown, intersect(cause, unrecorded));
            cause = subtract(cause, unrecorded);
        }
}

}  // namespace

Analysis::Analysis(const Trace& trace, const WorkMeter& work)
    : Analysis(trace, judgedDevices(trace, work), detectSteps(trace, work), work)
{
}

Analysis::Analysis(const Trace& trace, StepSequence iterations, const WorkMeter& work)
    : Analysis(trace, judgedDevices(trace, work), std::move(iterations), work)
{
    addRoles(trace, m_host, detectSteps(trace, work), m_devices, work);
}

Analysis::Analysis(const Trace& trace, const JudgedDevices& judged, StepSequence iterations, const WorkMeter& work)
    : m_span(trace.span()),
      m_devices(deviceActivities(trace, judged, work)),
      m_devicesLeftOut(judged.leftOut),
      m_host(hostActivity(trace, judged, work)),
      m_memory(memoryActivity(trace)),
      m_steps(std::make_shared<const StepSequence>(std::move(iterations))),
      m_program(programTraits(trace, work)),
      m_stacks(trace, work)
{
    for (DeviceActivity& device : m_devices) {
        judgeCopies(trace, m_host, device, m_program.isPyTorch(), work);
        m_lost.push_back(lostTime(device, m_host, m_memory, m_span, work));
        giveLaunching(trace, device, m_host, m_stacks, m_lost.back(), work);
        if (const KernelRecord record = overlane::kernelRecord(trace); record != KernelRecord::All)
            forgetUnrecorded(device, record, m_span, m_lost.back());
        for (const std::vector<CopyRecord>* copies : {&device.h2dCopies, &device.d2hCopies})
            for (const CopyRecord& copy : *copies)
                m_copies.emplace_back(copy.event, &copy);
    }
    assignRoles(trace, m_host, *m_steps, m_devices, work);
    std::sort(m_copies.begin(), m_copies.end(), work.counting(std::less<>()));
}

std::pair<std::size_t, std::size_t> Analysis::startingIn(const std::vector<CopyRecord>& copies, Interval range) const
{
    const Interval counted = countingRange(range, m_span);
    const auto before = [](const CopyRecord& copy, std::int64_t timeNs) { return copy.startNs < timeNs; };
    const auto first = std::lower_bound(copies.begin(), copies.end(), counted.startNs, before);
    const auto last = std::lower_bound(first, copies.end(), std::max(counted.startNs, counted.endNs), before);
    return {static_cast<std::size_t>(first - copies.begin()), static_cast<std::size_t>(last - copies.begin())};
}

const LostTime* Analysis::lost(std::int32_t device) const
{
    const auto found = std::lower_bound(m_devices.begin(), m_devices.end(), device,
                                        [](const DeviceActivity& each, std::int32_t id) { return each.id < id; });
    return found == m_devices.end() || found->id != device
               ? nullptr
               : &m_lost[static_cast<std::size_t>(found - m_devices.begin())];
}

const CopyRecord* Analysis::copyRecord(EventIndex event) const
{
    const auto found = std::lower_bound(m_copies.begin(), m_copies.end(), event,
                                        [](const auto& entry, EventIndex sought) { return entry.first < sought; });
    return found == m_copies.end() || found->first != event ? nullptr : found->second;
}

Summary Analysis::summarize(std::optional<Interval> requested) const
{
    Summary summary;
    summary.range = requested.value_or(m_span);
    const Interval range = summary.range;
    const std::int64_t wallNs = std::max<std::int64_t>(0, range.lengthNs());
    summary.hostBlockedNs = m_host.blocked.measureNs(range);
    summary.hostCriticalNs = m_host.criticalNs(range);
    for (std::size_t place = 0; place < m_devices.size(); ++place) {
        const DeviceActivity& activity = m_devices[place];
        DeviceSummary& device = summary.devices.emplace_back();
        for (std::size_t cause = 0; cause < device.lostNs.size(); ++cause)
            device.lostNs[cause] = m_lost[place][cause].measureNs(range);
        // Nothing is recorded outside the span.
        device.lostNs[static_cast<std::size_t>(LostCause::Unknown)] +=
            wallNs - std::max<std::int64_t>(0, range.intersected(m_span).lengthNs());
        device.id = activity.id;
        device.name = activity.name;

        device.kernels = countStarts(activity.kernelStartsNs, countingRange(range, m_span));
        device.communications = countStarts(activity.communicationStartsNs, countingRange(range, m_span));
        device.otherCopies = countStarts(activity.otherCopyStartsNs, countingRange(range, m_span));
        const auto [firstH2d, lastH2d] = startingIn(activity.h2dCopies, range);
        device.h2d = static_cast<std::int64_t>(lastH2d - firstH2d);
        for (std::size_t at = firstH2d; at < lastH2d; ++at) {
            const CopyRecord& copy = activity.h2dCopies[at];
            device.h2dPinned += copy.hostMemory == MemoryKind::Pinned;
            device.h2dPageable += copy.hostMemory == MemoryKind::Pageable;
            device.h2dBytes = saturatedSum(device.h2dBytes, copy.bytes);
        }
        device.h2dUnknown = device.h2d - device.h2dPinned - device.h2dPageable;
        const auto [firstD2h, lastD2h] = startingIn(activity.d2hCopies, range);
        device.d2h = static_cast<std::int64_t>(lastD2h - firstD2h);
        for (std::size_t at = firstD2h; at < lastD2h; ++at)
            device.d2hBytes = saturatedSum(device.d2hBytes, activity.d2hCopies[at].bytes);

        device.kernelBusyNs = activity.kernels.measureNs(range);
        device.h2dBusyNs = activity.h2d.measureNs(range);
        device.d2hBusyNs = activity.d2h.measureNs(range);
        device.h2dHiddenNs = activity.h2dHidden.measureNs(range);
        device.d2hHiddenNs = activity.d2hHidden.measureNs(range);
        device.exposedCopyNs = device.h2dBusyNs - device.h2dHiddenNs;
        device.communicationBusyNs = activity.communication.measureNs(range);
        device.communicationHiddenNs = activity.communicationHidden.measureNs(range);
        device.exposedCommunicationNs = device.communicationBusyNs - device.communicationHiddenNs;
        device.idleNs = wallNs - activity.busy.measureNs(range);

        if (device.h2dBusyNs > 0)
            device.overlapShare = static_cast<double>(device.h2dHiddenNs) / static_cast<double>(device.h2dBusyNs);
        device.wallNs = wallNs;
        device.idealNs = std::max({device.h2dBusyNs, device.d2hBusyNs, device.kernelBusyNs, device.communicationBusyNs,
                                   summary.hostCriticalNs});
        if (device.idealNs > 0)
            device.distance = static_cast<double>(wallNs) / static_cast<double>(device.idealNs);
    }
    return summary;
}

Summary summarize(const Trace& trace, std::optional<Interval> range)
{
    return Analysis(trace).summarize(range);
}

}  // namespace overlane
