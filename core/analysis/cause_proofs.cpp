#include "core/analysis/cause_proofs.h"

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

}  // namespace

IntervalSet communicationAlone(const ProofContext& of)
{
    return subtract(of.device.communication, of.device.communicationHidden);
}

IntervalSet insideGraphs(const ProofContext& of)
{
    IntervalSet inside;
    for (const IdleGap& gap : of.device.idle)
        if (gap.insideGraph)
            inside.add(gap.interval);
    return inside;
}

IntervalSet issuedInTime(const ProofContext& of)
{
    IntervalSet waiting;
    for (const IdleGap& gap : of.device.idle)
        if (gap.queuedNs <= gap.interval.startNs || gap.queuedNs < gap.interval.endNs - kLaunchLatencyNs)
            waiting.add({std::max(gap.queuedNs, gap.interval.startNs), gap.interval.endNs});
    return waiting;
}

IntervalSet betweenShortKernels(const ProofContext& of)
{
    IntervalSet bound;
    for (const IdleGap& gap : of.device.idle)
        if (gap.afterShortKernel && gap.beforeKernel && gap.interval.lengthNs() <= kLongestLaunchGapNs &&
            gap.queuedNs != std::numeric_limits<std::int64_t>::max() && gap.queuedNs > gap.interval.startNs &&
            of.rest.measureNs(gap.interval) == gap.interval.lengthNs())
            bound.add(gap.interval);
    return bound;
}

IntervalSet emptiedByCopyWaits(const GapsOfThread& some, const WorkMeter&)
{
    return emptiedBy(some.gaps, *some.copyWaits);
}

IntervalSet emptiedBySyncs(const GapsOfThread& some, const WorkMeter&)
{
    return emptiedBy(some.gaps, (*some.time)[static_cast<std::size_t>(HostDoing::Sync)]);
}

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

}  // namespace overlane
