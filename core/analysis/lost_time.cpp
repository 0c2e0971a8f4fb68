#include "core/analysis/lost_time.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "core/analysis/cause_table.h"
#include "core/analysis/gap_threads.h"

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
    if (waits.empty())
        return emptied;
    const std::vector<Interval>& all = waits.intervals();
    for (const Interval gap : idle.intervals()) {
        const auto after =
            std::partition_point(all.begin(), all.end(), [&](Interval wait) { return wait.startNs <= gap.startNs; });
        if (after != all.begin() && (after - 1)->endNs >= gap.startNs)
            emptied.add({gap.startNs, std::min(gap.endNs, gap.startNs + (after - 1)->lengthNs())});
    }
    return emptied;
}

// The same of calls that wait for the device although they are not called so.
IntervalSet emptiedByImplicitWaits(const GapsOfThread& some, const WorkMeter& work)
{
    const std::vector<Interval>& gaps = some.gaps.intervals();
    std::vector<Interval> emptied;
    for (const HostActivity::LaunchingThread* thread : some.threads)
        for (const ImplicitCall& call : thread->implicitCalls) {
            work.count();
            const auto after =
                std::partition_point(gaps.begin(), gaps.end(), [&](Interval gap) { return gap.startNs <= call.endNs; });
            if (after != gaps.begin() && call.waitedUntil((after - 1)->startNs))
                emptied.push_back(
                    {(after - 1)->startNs, std::min((after - 1)->endNs, (after - 1)->startNs + call.lengthNs())});
        }
    std::sort(emptied.begin(), emptied.end(), [](Interval a, Interval b) { return a.startNs < b.startNs; });
    return IntervalSet(std::move(emptied));
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
void giveDelayed(const std::vector<CopyRecord>& copies, LostTime& lost, const WorkMeter& work)
{
    std::array<IntervalSet, kLostCauseCount> late;
    for (const CopyRecord& copy : copies) {
        work.count();
        if (mayBeDelayed(copy))
            if (const std::optional<LostCause> delay = idleBefore(lost, copy))
                late[static_cast<std::size_t>(*delay)].add(copy.interval());
    }
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

IntervalSet insideGraphs(const std::vector<IdleGap>& gaps)
{
    IntervalSet inside;
    for (const IdleGap& gap : gaps)
        if (gap.insideGraph)
            inside.add(gap.interval);
    return inside;
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
    return rowOf(cause).name;
}

LostTime lostTime(const DeviceActivity& device, const HostActivity& host, const MemoryActivity& memory, Interval span,
                  const WorkMeter& work)
{
    LostTime lost;
    const auto set = [&](LostCause cause) -> IntervalSet& { return lost[static_cast<std::size_t>(cause)]; };
    // Of what runs beside no kernel at once, communication comes first: other GPUs wait for it, too.
    set(LostCause::Communication) = subtract(device.communication, device.communicationHidden);
    IntervalSet others = subtract(subtract(device.busy, device.kernels), set(LostCause::Communication));
    const auto takeOther = [&](const IntervalSet& some) {
        IntervalSet taken = intersect(others, some);
        others = subtract(others, taken);
        return taken;
    };
    const IntervalSet exposedH2d = takeOther(device.h2d);
    set(LostCause::ReadBack) = takeOther(device.d2h);
    set(LostCause::Migration) = takeOther(device.migrations);
    set(LostCause::OtherWork) = std::move(others);

    const Interval worked = device.busy.span();
    const IntervalSet idle = device.busy.gaps(worked);
    set(LostCause::Ends) = IntervalSet({{span.startNs, worked.startNs}, {worked.endNs, span.endNs}});
    IntervalSet rest = idle;
    const auto take = [&](const IntervalSet& proof) {
        work.look();
        if (proof.empty())
            return IntervalSet();
        IntervalSet taken = intersect(rest, proof);
        rest = subtract(rest, taken);
        return taken;
    };
    const GapThreads threads = gapThreads(device, host, work);
    // What a thread did in its own gaps proves a cause, the first before the next.
    struct HostProof {
        LostCause cause;
        bool ofOthers;  // also of the thread that launched the work before a gap
        std::function<IntervalSet(const GapsOfThread&)> of;
    };
    const auto doing = [](HostDoing what) {
        return [what](const GapsOfThread& each) {
            return intersect(each.gaps, (*each.time)[static_cast<std::size_t>(what)]);
        };
    };
    const HostProof proofs[] = {
        {LostCause::Staging, true, doing(HostDoing::BlockingCopy)},
        {LostCause::Pinning, false, doing(HostDoing::PageLocking)},
        {LostCause::MakingBatches, true, doing(HostDoing::BatchWork)},
        {LostCause::Batches, true, doing(HostDoing::BatchWait)},
        {LostCause::Pinning, false, doing(HostDoing::Pinning)},
        {LostCause::Staging, true, [](const GapsOfThread& each) { return emptiedBy(each.gaps, *each.copyWaits); }},
        {LostCause::Sync, true,
         [](const GapsOfThread& each) {
             return emptiedBy(each.gaps, (*each.time)[static_cast<std::size_t>(HostDoing::Sync)]);
         }},
        {LostCause::Sync, true, [&](const GapsOfThread& each) { return emptiedByImplicitWaits(each, work); }},
    };
    const auto prove = [&](const HostProof& proof, const std::vector<GapsOfThread>& some) {
        std::vector<IntervalSet> sets;
        sets.reserve(some.size());
        for (const GapsOfThread& each : some)
            sets.push_back(proof.of(each));
        set(proof.cause) = unite(set(proof.cause), take(unite(std::move(sets), work)));
    };
    const HostProof otherWork{LostCause::Host, true, doing(HostDoing::Work)};
    set(LostCause::Swap) = take(memory.swapping);
    set(LostCause::InGraph) = take(insideGraphs(device.idle));
    set(LostCause::Dependency) = take(queued(device.idle));
    set(LostCause::Copies) = exposedH2d;
    for (const HostProof& proof : proofs)
        prove(proof, threads.own);
    set(LostCause::LaunchBound) = take(betweenShortKernels(device.idle, rest));
    prove(otherWork, threads.own);
    for (const HostProof& proof : proofs)
        if (proof.ofOthers)
            prove(proof, threads.handedOver);
    prove(otherWork, threads.handedOver);
    set(LostCause::HostBetween) = take(host.launchingSpan(device.id));
    set(LostCause::Unknown) = std::move(rest);
    giveDelayed(device.h2dCopies, lost, work);
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
