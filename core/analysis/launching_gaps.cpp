#include "core/analysis/launching_gaps.h"

namespace overlane
{
namespace
{

// An eager framework is back with the next launch within this time.
constexpr std::int64_t kLongestLaunchingGapNs = 1'000'000;
// Of the samples that say what the thread did; the program's own lines may call into C, which launches or not.
constexpr double kMostlyLaunching = 0.75;
constexpr double kLeastTelling = 0.3;

bool endsWithLaunch(const Trace& trace, const IdleGap& gap)
{
    if (gap.beforeKernel)
        return true;
    return gap.next.valid() && trace.kind(gap.next) == EventKind::Memset;
}

}  // namespace

void giveLaunching(const Trace& trace, const DeviceActivity& device, const HostActivity& host, const HostStacks& stacks,
                   LostTime& lost, const WorkMeter& work)
{
    if (stacks.empty())
        return;
    const auto set = [&](LostCause cause) -> IntervalSet& { return lost[static_cast<std::size_t>(cause)]; };
    IntervalSet gaps;
    for (const IdleGap& gap : device.idle) {
        work.count();
        if (gap.interval.lengthNs() <= kLongestLaunchingGapNs && endsWithLaunch(trace, gap))
            gaps.add(gap.interval);
    }
    const IntervalSet candidates = intersect(gaps, unite(set(LostCause::Host), set(LostCause::HostBetween)));
    if (candidates.empty())
        return;
    double launching = 0;
    double telling = 0;
    for (const CodeShare& share : stacks.behind(device, host, candidates, candidates.span())) {
        launching += share.sense(FrameSense::Launches);
        telling += share.share - share.ownLines;
    }
    if (telling < kLeastTelling || launching < kMostlyLaunching * telling)
        return;
    for (const LostCause cause : {LostCause::Host, LostCause::HostBetween})
        set(cause) = subtract(set(cause), candidates);
    set(LostCause::LaunchBound) = unite(set(LostCause::LaunchBound), candidates);
}

}  // namespace overlane
