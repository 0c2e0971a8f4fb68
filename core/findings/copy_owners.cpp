#include "core/findings/copy_owners.h"

#include <algorithm>

#include "core/findings/claims.h"

namespace overlane
{
namespace
{

// A copy that starts this soon after the end of another one came right behind it.
constexpr std::int64_t kRightBehindNs = 20'000;
bool streamWithoutKernels(const DeviceActivity& device, const CopyRecord& copy)
{
    return copy.stream.known() && !device.kernelStreams.empty() && !device.hasKernels(copy.stream);
}

// The time without kernels around a moment.
Interval computeGapAround(const DeviceActivity& device, std::int64_t timeNs)
{
    const std::vector<Interval>& kernels = device.kernels.intervals();
    const auto next =
        std::partition_point(kernels.begin(), kernels.end(), [&](Interval each) { return each.startNs <= timeNs; });
    const Interval span = device.busy.span();
    return {next == kernels.begin() ? span.startNs : (next - 1)->endNs,
            next == kernels.end() ? span.endNs : next->startNs};
}

}  // namespace

std::vector<std::int64_t> slowExcesses(const std::vector<CopyRecord>& copies, double linkBytesPerSecond,
                                       const WorkMeter& work)
{
    std::vector<std::int64_t> excesses(copies.size(), 0);
    constexpr double kNsPerSecond = 1e9;
    for (std::size_t first = 0; first < copies.size() && linkBytesPerSecond > 0;) {
        // Those that run at the same time, one after another.
        Interval together = copies[first].interval();
        double bytes = 0;
        std::size_t last = first;
        for (; last < copies.size() && (last == first || copies[last].startNs < together.endNs); ++last) {
            work.count();
            together.endNs = std::max(together.endNs, copies[last].interval().endNs);
            bytes += static_cast<double>(copies[last].bytes);
        }
        const double neededShare = bytes * kNsPerSecond / linkBytesPerSecond /
                                   static_cast<double>(std::max<std::int64_t>(together.lengthNs(), 1));
        for (; first < last; ++first) {
            const CopyRecord& copy = copies[first];
            if (neededShare < kSlowShareOfLink && copy.hostMemory == MemoryKind::Pinned && copy.bytes >= kFullRateBytes)
                excesses[first] =
                    copy.durationNs - static_cast<std::int64_t>(neededShare * static_cast<double>(copy.durationNs));
        }
    }
    return excesses;
}

EventIndex waitBehind(const Trace& trace, const HostActivity& host, const CopyRecord& copy)
{
    const HostActivity::LaunchingThread* thread = copy.call.valid() ? host.threadOf(trace.trackOf(copy.call)) : nullptr;
    if (!thread)
        return {};
    const Interval own = trace.interval(copy.call);
    const auto next = std::partition_point(thread->calls.begin(), thread->calls.end(),
                                           [&](const GpuCall& call) { return call.startNs < own.endNs; });
    return next != thread->calls.end() && next->kind == GpuCallKind::Sync && next->startNs - own.endNs <= kSameRequestNs
               ? next->event
               : EventIndex();
}

std::vector<RuleId> ownersOfH2d(const Trace& trace, const HostActivity& host, const DeviceActivity& device,
                                const LostTime& lost, const WorkMeter& work)
{
    std::vector<RuleId> owners;
    owners.reserve(device.h2dCopies.size());
    std::int64_t lastEndNs = 0;
    for (const CopyRecord& copy : device.h2dCopies) {
        work.count();
        CopyContext context;
        context.streamWithoutKernels = streamWithoutKernels(device, copy);
        context.linkTooNarrow = device.linkTooNarrow;
        context.waitFollows = copy.hostMemory == MemoryKind::Pageable && waitBehind(trace, host, copy).valid();
        context.delay = delayOf(lost, copy);
        if (!owners.empty() && copy.startNs - lastEndNs <= kRightBehindNs)
            context.behind = owners.back();
        owners.push_back(ownerOfCopy(copy, context));
        lastEndNs = std::max(lastEndNs, copy.interval().endNs);
    }
    return owners;
}

std::vector<RuleId> ownersOfD2h(const DeviceActivity& device, const std::vector<RuleId>& h2dOwners,
                                const WorkMeter& work)
{
    IntervalSet freeH2d;  // the host is not held by these, so they could run beside a copy back
    for (std::size_t at = 0; at < h2dOwners.size(); ++at) {
        const CopyRecord& copy = device.h2dCopies[at];
        if (copy.hostMemory == MemoryKind::Pinned && h2dOwners[at] != RuleId::SyncCopies &&
            copy.exposedNs() * 2 >= copy.durationNs)
            freeH2d.add(copy.interval());
    }
    std::vector<RuleId> owners;
    owners.reserve(device.d2hCopies.size());
    for (const CopyRecord& copy : device.d2hCopies) {
        work.count();
        CopyContext context;
        context.toDevice = false;
        context.streamWithoutKernels = streamWithoutKernels(device, copy);
        const Interval gap = computeGapAround(device, copy.startNs);
        context.besideOtherDirection = copy.hostMemory == MemoryKind::Pinned &&
                                       freeH2d.measureNs(gap) * 2 >= copy.durationNs &&
                                       device.h2d.measureNs(copy.interval()) * 4 <= copy.durationNs;
        owners.push_back(ownerOfCopy(copy, context));
    }
    return owners;
}

}  // namespace overlane
