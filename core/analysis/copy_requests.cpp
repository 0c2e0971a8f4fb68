#include "core/analysis/copy_requests.h"

#include <algorithm>
#include <functional>
#include <unordered_map>

namespace overlane
{
namespace
{

// Requests of one batch or one layer may have such a part of an iteration's launches between them.
constexpr std::int64_t kLaunchesPerBurst = 200;

// When the device's launches were asked for, else when its kernels ran.
std::vector<std::int64_t> launchTimes(const HostActivity& host, const DeviceActivity& device, const WorkMeter& work)
{
    std::vector<std::int64_t> timesNs;
    for (const std::uint32_t place : host.group(device.id).threads)
        for (const GpuCall& call : host.launchingThreads[place].calls) {
            work.count();
            if (call.kind == GpuCallKind::Launch)
                timesNs.push_back(call.startNs);
        }
    if (timesNs.empty())
        return device.kernelStartsNs;
    if (!std::is_sorted(timesNs.begin(), timesNs.end()))
        std::sort(timesNs.begin(), timesNs.end(), work.counting(std::less<>()));
    return timesNs;
}

// A step reaches over the usual pause behind it, not over another phase.
std::int32_t iterationAt(const std::vector<Step>& steps, std::int64_t timeNs)
{
    const auto next = std::partition_point(steps.begin(), steps.end(),
                                           [&](const Step& step) { return step.interval.startNs <= timeNs; });
    if (next == steps.begin())
        return -1;
    const Step& step = *(next - 1);
    const std::int64_t reachNs = std::max(step.timeNs, step.interval.lengthNs());
    return timeNs - step.interval.startNs < reachNs ? static_cast<std::int32_t>(next - 1 - steps.begin()) : -1;
}

}  // namespace

std::int64_t CopyRequests::launchesBefore(std::int64_t timeNs) const
{
    return std::lower_bound(launchesNs.begin(), launchesNs.end(), timeNs) - launchesNs.begin();
}

CopyRequests copyRequests(const Trace& trace, const HostActivity& host, const StepSequence& steps,
                          DeviceActivity& device, const WorkMeter& work)
{
    CopyRequests found;
    found.iterations = static_cast<std::int32_t>(steps.steps.size());
    found.launchesNs = launchTimes(host, device, work);
    if (!steps.steps.empty()) {
        const std::int64_t launches = found.launchesBefore(steps.steps.back().interval.endNs) -
                                      found.launchesBefore(steps.steps.front().interval.startNs);
        found.launchesEach = launches / found.iterations;
        found.launchesApart = std::max<std::int64_t>(1, found.launchesEach / kLaunchesPerBurst);
    }
    const HostTime& time = host.launching(device.id);
    const IntervalSet waits = unite(time[static_cast<std::size_t>(HostDoing::BatchWait)],
                                    time[static_cast<std::size_t>(HostDoing::BatchWork)]);
    found.hasWaits = !waits.empty();

    std::unordered_map<std::int64_t, std::uint32_t> sizes;
    for (const bool toDevice : {true, false})
        for (CopyRecord& copy : toDevice ? device.h2dCopies : device.d2hCopies) {
            work.count();
            CopyRequest& request = found.all.emplace_back();
            request.copy = &copy;
            request.toDevice = toDevice;
            request.askedNs = copy.call.valid() ? trace.interval(copy.call).startNs : copy.startNs;
            const std::int64_t countsNs = steps.onHost ? request.askedNs : copy.startNs;
            request.isBefore = !steps.steps.empty() && countsNs < steps.steps.front().interval.startNs;
            request.iteration = iterationAt(steps.steps, countsNs);
            request.size = sizes.try_emplace(copy.bytes, static_cast<std::uint32_t>(sizes.size())).first->second;
            request.launchesBefore = found.launchesBefore(request.askedNs);
            const std::vector<Interval>& all = waits.intervals();
            const auto after = std::partition_point(all.begin(), all.end(),
                                                    [&](Interval wait) { return wait.endNs <= request.askedNs; });
            request.afterWait = after != all.begin() &&
                                request.launchesBefore - found.launchesBefore((after - 1)->endNs) < found.launchesApart;
        }
    found.sizes = static_cast<std::uint32_t>(sizes.size());
    std::sort(found.all.begin(), found.all.end(), work.counting([](const CopyRequest& a, const CopyRequest& b) {
        return std::pair(a.askedNs, a.copy->event) < std::pair(b.askedNs, b.copy->event);
    }));
    return found;
}

}  // namespace overlane
