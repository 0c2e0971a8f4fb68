#include "core/replay/replay_plan.h"

#include <algorithm>
#include <cmath>

#include "core/replay/edit.h"

namespace overlane
{
bool has(std::span<const Change> changes, ChangeKind kind)
{
    return std::any_of(changes.begin(), changes.end(), [kind](const Change& change) { return change.kind == kind; });
}

double computeShare(const Schedule& schedule)
{
    return schedule.stepNs == 0 ? 0
                                : static_cast<double>(schedule.busyNs[static_cast<std::size_t>(Bottleneck::Compute)]) /
                                      static_cast<double>(schedule.stepNs);
}

Schedule scheduleAtClock(ReplayProgram& program, double share, const Trace& trace, const WorkMeter& work)
{
    Schedule planned = schedule(program, work);
    if (trace.origin().isSimulated)
        return planned;
    // The longer kernels are, the busier the GPU: two rounds settle it.
    for (int round = 0; round < 2; ++round) {
        const double planShare = computeShare(planned);
        if (std::abs(clockFactor(planShare) / clockFactor(share) - 1) < kClockMatters)
            break;
        editClock(program, trace, clockFactor(planShare) / clockFactor(share));
        share = planShare;
        planned = schedule(program, work);
    }
    return planned;
}

double processSpread(const Trace& trace, const ReplayProgram& program, Bottleneck bottleneck)
{
    if (trace.origin().isSimulated)
        return 0;
    const bool deviceDecides =
        bottleneck == Bottleneck::Compute || bottleneck == Bottleneck::H2D || bottleneck == Bottleneck::D2H;
    const bool makesBatches = program.loader().kind == LoaderKind::Lanes || program.loader().inThread;
    const bool hostDecides = bottleneck == Bottleneck::Host || (makesBatches && !deviceDecides);
    return hostDecides ? kProcessSpread : kLeastProcessSpread;
}

}  // namespace overlane
