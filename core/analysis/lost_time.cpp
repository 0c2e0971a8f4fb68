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

// How far back to look for what held everything up before a short copy.
constexpr std::int64_t kLeastLookBackNs = 100'000;
constexpr std::array kDelays{LostCause::Batches, LostCause::MakingBatches, LostCause::Swap, LostCause::Pinning};

// Of each gap at whose start the host was in a call that waits for the device: the device ran empty
// because nobody was there to queue more, and would have had work that much earlier.
IntervalSet emptiedBy(const IntervalSet& idle, const IntervalSet& waits)
{
    IntervalSet emptied;
    const std::vector<Interval>& all = waits.intervals();
    for (const Interval gap : idle.intervals()) {
        const auto after =
            std::partition_point(all.begin(), all.end(), [&](Interval wait) { return wait.startNs <= gap.startNs; });
        if (after != all.begin() && (after - 1)->endNs >= gap.startNs)
            emptied.add({gap.startNs, std::min(gap.endNs, gap.startNs + (after - 1)->lengthNs())});
    }
    return emptied;
}

// The host does not hold such a copy up, and nothing was there to hide it.
bool mayBeDelayed(const CopyRecord& copy)
{
    constexpr CopyCauses kOthers =
        causeBit(CopyCause::UnifiedMemory) | causeBit(CopyCause::OutsideKernels) | causeBit(CopyCause::SynchronousCall);
    return (copy.causes & causeBit(CopyCause::NoCompute)) != 0 && (copy.causes & kOthers) == 0 &&
           copy.hostMemory != MemoryKind::Pageable && (copy.bytes == 0 || copy.bytes > kInlineCopyBytes);
}

// What the device had been idle for before a copy, for about as long as the copy lasts.
std::optional<LostCause> idleBefore(const LostTime& lost, const CopyRecord& copy)
{
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

// Gives the exposed time of copies that came late to what they came late for.
void giveDelayed(const std::vector<CopyRecord>& copies, LostTime& lost)
{
    std::array<IntervalSet, kLostCauseCount> late;
    for (const CopyRecord& copy : copies)
        if (mayBeDelayed(copy))
            if (const std::optional<LostCause> delay = idleBefore(lost, copy))
                late[static_cast<std::size_t>(*delay)].add(copy.interval());
    IntervalSet& exposed = lost[static_cast<std::size_t>(LostCause::Copies)];
    for (const LostCause cause : kDelays) {
        const IntervalSet moved = intersect(exposed, late[static_cast<std::size_t>(cause)]);
        if (moved.empty())
            continue;
        exposed = subtract(exposed, moved);
        IntervalSet& whole = lost[static_cast<std::size_t>(cause)];
        whole = unite(whole, moved);
    }
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
    set(LostCause::Pinning) = take(during(HostDoing::PageLocking));
    set(LostCause::MakingBatches) = take(during(HostDoing::BatchWork));
    set(LostCause::Batches) = take(during(HostDoing::BatchWait));
    set(LostCause::Pinning) = unite(set(LostCause::Pinning), take(during(HostDoing::Pinning)));
    set(LostCause::Staging) = unite(set(LostCause::Staging), take(emptiedBy(idle, host.copyWaits(device.id))));
    set(LostCause::Sync) = take(emptiedBy(idle, during(HostDoing::Sync)));
    set(LostCause::LaunchBound) = take(betweenShortKernels(device.idle, rest));
    set(LostCause::Host) = take(during(HostDoing::Work));
    set(LostCause::HostBetween) = take(host.launchingSpan(device.id));
    set(LostCause::Unknown) = std::move(rest);
    giveDelayed(device.h2dCopies, lost);
    return lost;
}

std::optional<LostCause> delayOf(const LostTime& lost, const CopyRecord& copy)
{
    if (!mayBeDelayed(copy))
        return {};
    for (const LostCause cause : kDelays)
        if (const std::int64_t lateNs = lost[static_cast<std::size_t>(cause)].measureNs(copy.interval());
            lateNs > 0 && lateNs * 2 >= copy.exposedNs())
            return cause;
    return {};
}

}  // namespace overlane
