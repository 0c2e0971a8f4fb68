#include "core/analysis/active_range.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace overlane
{
namespace
{

// Without steps, a pause of this part of the work's time, 1 / kPreparingPause, may belong to preparation.
constexpr std::int64_t kPreparingPause = 10;
constexpr std::int64_t kFarLonger = 3;

// A host runs ahead of its device: when the device ends what it had been asked for by a time. Where the
// trace does not say when it was asked, a pause longer than a step is the end.
std::int64_t endOfWorkAskedForBy(const DeviceActivity& device, std::int64_t timeNs, std::int64_t stepNs)
{
    auto gap = std::partition_point(device.idle.begin(), device.idle.end(),
                                    [&](const IdleGap& each) { return each.interval.endNs <= timeNs; });
    for (; gap != device.idle.end(); ++gap) {
        const bool known = gap->queuedNs != std::numeric_limits<std::int64_t>::max();
        if (known ? gap->queuedNs > timeNs : gap->interval.lengthNs() > stepNs)
            return gap->interval.startNs;
    }
    return device.busy.span().endNs;
}

// Where GPU work begins for good: behind the last pause of a tenth of its time that is far longer than any
// later one and has no more than half of the work before it. Compilation and first allocations are such pauses. Work
// is that of kernels where there are any, since a program begins by copying what it needs, its weights for one.
std::int64_t startOfSteadyWork(const Analysis& analysis, Interval work)
{
    std::vector<IntervalSet> each;
    std::vector<IntervalSet> kernels;
    for (const DeviceActivity& device : analysis.devices()) {
        each.push_back(device.busy);
        kernels.push_back(device.kernels);
    }
    const IntervalSet busy = unite(std::move(each));
    const IntervalSet computes = unite(std::move(kernels));
    const IntervalSet& counted = computes.empty() ? busy : computes;
    const IntervalSet pauses = busy.gaps(work);
    std::int64_t laterNs = 0;  // the longest behind the one looked at
    for (auto pause = pauses.intervals().rbegin(); pause != pauses.intervals().rend(); ++pause) {
        if (pause->lengthNs() >= work.lengthNs() / kPreparingPause && pause->lengthNs() / kFarLonger >= laterNs &&
            counted.measureNs({work.startNs, pause->startNs}) <= counted.measureNs() / 2)
            return pause->endNs;
        laterNs = std::max(laterNs, pause->lengthNs());
    }
    return work.startNs;
}

}  // namespace

ActiveRange activeRange(const Analysis& analysis, const std::vector<Step>& steps)
{
    ActiveRange active;
    active.range = analysis.span();
    std::optional<Interval> work;
    for (const DeviceActivity& device : analysis.devices()) {
        const Interval span = device.busy.span();
        if (device.busy.empty())
            continue;
        work = work ? Interval{std::min(work->startNs, span.startNs), std::max(work->endNs, span.endNs)} : span;
    }
    std::int64_t firstNs = active.range.startNs;
    if (steps.size() >= 2) {
        active.bySteps = true;
        firstNs = steps.front().interval.startNs;
        while (static_cast<std::size_t>(active.warmUps) + 1 < steps.size() &&
               steps[static_cast<std::size_t>(active.warmUps)].warmUp)
            ++active.warmUps;
        active.range = steps[static_cast<std::size_t>(active.warmUps)].interval;
        for (const Step& step : steps)
            active.range.endNs = std::max(active.range.endNs, step.interval.endNs);
        const std::int64_t stepsEndNs = active.range.endNs;
        for (const DeviceActivity& device : analysis.devices())
            active.range.endNs =
                std::max(active.range.endNs, endOfWorkAskedForBy(device, stepsEndNs, stepTimeNs(steps)));
    } else if (work) {
        firstNs = work->startNs;
        active.range = {startOfSteadyWork(analysis, *work), work->endNs};
    }
    active.beforeNs = firstNs - analysis.span().startNs;
    active.warmUpNs = active.range.startNs - firstNs;
    active.afterNs = analysis.span().endNs - active.range.endNs;
    return active;
}

}  // namespace overlane
