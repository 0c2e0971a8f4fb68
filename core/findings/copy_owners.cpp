#include "core/findings/copy_owners.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/findings/claims.h"

namespace overlane
{
namespace
{

// A copy that starts this soon after the end of another one came right behind it.
constexpr std::int64_t kRightBehindNs = 20'000;
// A wait that is asked for this soon after a copy is part of the same request.
constexpr std::int64_t kSameRequestNs = 50'000;
// How far back to look for what held everything up before a short copy.
constexpr std::int64_t kLeastLookBackNs = 100'000;

std::optional<LostCause> idleBefore(const LostTime& lost, const CopyRecord& copy)
{
    constexpr std::array kDelays{LostCause::Batches, LostCause::MakingBatches, LostCause::Swap, LostCause::Pinning};
    const std::int64_t lookBackNs = std::max(copy.durationNs, kLeastLookBackNs);
    const Interval before{copy.startNs - lookBackNs, copy.startNs};
    std::optional<LostCause> most;
    std::int64_t mostNs = 0;
    for (const LostCause cause : kDelays) {
        const std::int64_t lostNs = lost[static_cast<std::size_t>(cause)].measureNs(before);
        if (lostNs > mostNs) {
            mostNs = lostNs;
            most = cause;
        }
    }
    return mostNs * 2 >= lookBackNs ? most : std::nullopt;
}

bool streamWithoutKernels(const DeviceActivity& device, const CopyRecord& copy)
{
    return copy.stream >= 0 && !device.kernelStreams.empty() && !device.hasKernels(copy.stream);
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

std::int64_t slowExcessNs(const CopyRecord& copy, double linkBytesPerSecond)
{
    if (copy.hostMemory != MemoryKind::Pinned || copy.bytes < kFullRateBytes || linkBytesPerSecond <= 0)
        return 0;
    constexpr double kNsPerSecond = 1e9;
    const double neededNs = static_cast<double>(copy.bytes) * kNsPerSecond / linkBytesPerSecond;
    return neededNs < kSlowShareOfLink * static_cast<double>(copy.durationNs)
               ? copy.durationNs - static_cast<std::int64_t>(neededNs)
               : 0;
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
                                const LostTime& lost)
{
    std::int64_t freeCopiesNs = 0;  // those that the host does not hold up
    for (const CopyRecord& copy : device.h2dCopies)
        if (copy.hostMemory != MemoryKind::Pageable && (copy.causes & causeBit(CopyCause::SynchronousCall)) == 0)
            freeCopiesNs += copy.durationNs;
    const bool linkTooNarrow =
        freeCopiesNs > device.kernels.measureNs() / 2 * 3 && freeCopiesNs > device.busy.span().lengthNs() / 2;
    std::vector<RuleId> owners;
    owners.reserve(device.h2dCopies.size());
    std::int64_t lastEndNs = 0;
    for (const CopyRecord& copy : device.h2dCopies) {
        CopyContext context;
        context.streamWithoutKernels = streamWithoutKernels(device, copy);
        context.linkTooNarrow = linkTooNarrow;
        context.waitFollows = copy.hostMemory == MemoryKind::Pageable && waitBehind(trace, host, copy).valid();
        if ((copy.causes & causeBit(CopyCause::NoCompute)) != 0)
            context.idleBefore = idleBefore(lost, copy);
        if (!owners.empty() && copy.startNs - lastEndNs <= kRightBehindNs)
            context.behind = owners.back();
        owners.push_back(ownerOfCopy(copy, context));
        lastEndNs = std::max(lastEndNs, copy.interval().endNs);
    }
    return owners;
}

std::vector<RuleId> ownersOfD2h(const DeviceActivity& device, const std::vector<RuleId>& h2dOwners)
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
