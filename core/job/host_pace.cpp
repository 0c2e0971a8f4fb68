#include "core/job/host_pace.h"

#include <utility>
#include <vector>

#include "core/analysis/host_activity.h"

namespace overlane
{
namespace
{

const IntervalSet& doing(const HostTime& time, HostDoing what)
{
    return time[static_cast<std::size_t>(what)];
}

}  // namespace

HostPace::HostPace(const Trace& trace, const Analysis& analysis, std::int32_t device)
{
    const HostActivity& host = analysis.host();
    const HostActivity::LaunchGroup& group = host.group(device);
    m_isKnown = !group.threads.empty();
    std::vector<Interval> launches;
    for (const std::uint32_t place : group.threads)
        for (const GpuCall& call : host.launchingThreads[place].calls)
            if (call.kind != GpuCallKind::Sync && call.endNs - call.startNs > kLongLaunchNs &&
                trace.kind(call.event) == EventKind::RuntimeCall)
                launches.push_back({call.startNs + kLongLaunchNs, call.endNs});
    const HostTime& time = host.launching(device);
    m_copies = unite(doing(time, HostDoing::BlockingCopy), host.copyWaits(device));
    m_loader =
        unite({doing(time, HostDoing::BatchWait), doing(time, HostDoing::BatchWork), doing(time, HostDoing::Pinning)});
    // What waits for a copy is the copy's.
    m_waits = subtract(unite(doing(time, HostDoing::Sync), IntervalSet(std::move(launches))), m_copies);
    for (const DeviceActivity& of : analysis.devices())
        if (of.id == device)
            m_held =
                intersect(unite(m_waits, m_copies), subtract(of.communication, unite({of.kernels, of.h2d, of.d2h})));
}

std::int64_t HostPace::ownNs(Interval step) const
{
    return m_isKnown ? step.lengthNs() - m_waits.measureNs(step) : 0;
}

}  // namespace overlane
