#include "core/analysis/lost_time.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace overlane
{
namespace
{

// A launch that arrives late may need this long to reach the device.
constexpr std::int64_t kLaunchLatencyNs = 20'000;
// A host that only launches is back with the next kernel within this time.
constexpr std::int64_t kLongestLaunchGapNs = 100'000;

// The idle intervals at whose start the host was in a call that waits for the device: the device
// ran empty because nobody was there to queue more.
IntervalSet emptiedBySync(const IntervalSet& idle, const IntervalSet& syncs)
{
    IntervalSet emptied;
    for (const Interval gap : idle.intervals())
        if (syncs.measureNs({gap.startNs - 1, gap.startNs + 1}) > 0)
            emptied.add(gap);
    return emptied;
}

// The parts of the idle intervals in which the host had asked for the next work already.
IntervalSet queued(const std::vector<IdleGap>& gaps)
{
    IntervalSet waiting;
    for (const IdleGap& gap : gaps)
        if (gap.queuedNs <= gap.interval.startNs || gap.queuedNs < gap.interval.endNs - kLaunchLatencyNs)
            waiting.add({std::max(gap.queuedNs, gap.interval.startNs), gap.interval.endNs});
    return waiting;
}

// The short gaps behind short kernels whose next kernel was asked for too late, as far as no other
// cause has a part in them.
IntervalSet betweenShortKernels(const std::vector<IdleGap>& gaps, const IntervalSet& rest)
{
    IntervalSet bound;
    for (const IdleGap& gap : gaps)
        if (gap.afterShortKernel && gap.beforeKernel && gap.interval.lengthNs() <= kLongestLaunchGapNs &&
            gap.queuedNs != std::numeric_limits<std::int64_t>::max() && gap.queuedNs > gap.interval.startNs &&
            rest.measureNs(gap.interval) == gap.interval.lengthNs())
            bound.add(gap.interval);
    return bound;
}

}  // namespace

std::string_view lostCauseName(LostCause cause)
{
    static constexpr std::array<std::string_view, kLostCauseCount> kNames{
        "exposed copies",
        "staging of copies",
        "results read back",
        "other copies and memsets",
        "swap",
        "stream order and events",
        "waiting for batches",
        "batches made by the training thread",
        "pinning in the training thread",
        "explicit synchronisation",
        "launch-bound",
        "host late",
        "host between recorded work",
        "start and end",
        "not told by the trace",
    };
    return kNames[static_cast<std::size_t>(cause)];
}

LostTime lostTime(const DeviceActivity& device, const HostActivity& host, const MemoryActivity& memory, Interval span)
{
    LostTime lost;
    const auto set = [&](LostCause cause) -> IntervalSet& { return lost[static_cast<std::size_t>(cause)]; };
    const IntervalSet exposedH2d = subtract(device.h2d, device.h2dHidden);
    set(LostCause::ReadBack) = subtract(subtract(device.d2h, device.d2hHidden), exposedH2d);
    set(LostCause::OtherWork) =
        subtract(subtract(device.busy, device.kernels), unite(exposedH2d, set(LostCause::ReadBack)));

    const Interval worked = device.busy.span();
    const IntervalSet idle = device.busy.gaps(worked);
    set(LostCause::Ends) = IntervalSet({{span.startNs, worked.startNs}, {worked.endNs, span.endNs}});
    IntervalSet rest = idle;
    const auto take = [&](const IntervalSet& proof) {
        if (proof.empty())
            return IntervalSet();
        IntervalSet taken = intersect(rest, proof);
        rest = subtract(rest, taken);
        return taken;
    };
    const HostTime thread = host.launching(device.id);
    const auto during = [&](HostDoing doing) -> const IntervalSet& { return thread[static_cast<std::size_t>(doing)]; };
    set(LostCause::Swap) = take(memory.swapping);
    set(LostCause::Dependency) = take(queued(device.idle));
    set(LostCause::Copies) = exposedH2d;
    set(LostCause::Staging) = take(during(HostDoing::BlockingCopy));
    set(LostCause::MakingBatches) = take(during(HostDoing::BatchWork));
    set(LostCause::Batches) = take(during(HostDoing::BatchWait));
    set(LostCause::Pinning) = take(during(HostDoing::Pinning));
    set(LostCause::Sync) = take(emptiedBySync(idle, during(HostDoing::Sync)));
    set(LostCause::LaunchBound) = take(betweenShortKernels(device.idle, rest));
    set(LostCause::Host) = take(during(HostDoing::Work));
    set(LostCause::HostBetween) = take(host.launchingSpan(device.id));
    set(LostCause::Unknown) = std::move(rest);
    return lost;
}

}  // namespace overlane
