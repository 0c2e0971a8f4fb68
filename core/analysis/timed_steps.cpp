#include "core/analysis/timed_steps.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace overlane
{
namespace
{

constexpr std::size_t kFewestSteps = 3;
// The device is far behind where this part of the steps' time, 1 / kFarBehind, is left at their end.
constexpr std::int64_t kFarBehind = 10;

struct IssuedWork {
    std::int64_t firstNs = std::numeric_limits<std::int64_t>::max();  // start of the first
    std::int64_t lastNs = std::numeric_limits<std::int64_t>::min();   // end of the last
};

// What the device did for each step, by when its call was made.
std::vector<IssuedWork> workOfSteps(const Trace& trace, const std::vector<Step>& steps, const WorkMeter& work)
{
    std::vector<IssuedWork> all(steps.size());
    for (const Track& track : trace.tracks()) {
        if (track.device < 0 || track.bookkeeping)
            continue;
        for (std::uint32_t at = track.events.first; at < track.events.last; ++at) {
            work.count();
            const EventIndex event(at);
            const EventIndex call = trace.link(event);
            if (!call.valid() || !isDeviceWork(trace.kind(event)))
                continue;
            const std::int64_t issuedNs = trace.interval(call).startNs;
            const auto next =
                std::upper_bound(steps.begin(), steps.end(), issuedNs,
                                 [](std::int64_t timeNs, const Step& step) { return timeNs < step.interval.startNs; });
            if (next == steps.begin() || (next == steps.end() && issuedNs > steps.back().interval.endNs))
                continue;
            IssuedWork& issued = all[static_cast<std::size_t>(next - steps.begin()) - 1];
            issued.firstNs = std::min(issued.firstNs, trace.interval(event).startNs);
            issued.lastNs = std::max(issued.lastNs, trace.interval(event).endNs);
        }
    }
    return all;
}

}  // namespace

StepSequence timedSteps(const Trace& trace, const Analysis& analysis, const WorkMeter& work)
{
    const StepSequence& onHost = analysis.steps();
    const std::vector<Step>& steps = onHost.steps;
    if (!onHost.onHost || steps.size() < kFewestSteps)
        return onHost;
    const std::vector<IssuedWork> issued = workOfSteps(trace, steps, work);
    const std::int64_t hostEndNs = steps.back().interval.endNs;
    const std::int64_t hostNs = hostEndNs - steps.front().interval.startNs;
    if (issued.back().lastNs <= hostEndNs || issued.back().lastNs - hostEndNs < hostNs / kFarBehind)
        return onHost;
    StepSequence onDevice = onHost;
    onDevice.onHost = false;
    std::int64_t doneNs = std::numeric_limits<std::int64_t>::min();
    for (std::size_t at = 0; at < steps.size(); ++at) {
        const Interval interval{std::max(doneNs, issued[at].firstNs), issued[at].lastNs};
        if (interval.empty())
            return onHost;
        onDevice.steps[at].interval = interval;
        doneNs = interval.endNs;
    }
    onDevice.statistics = markSteps(onDevice.steps);
    return onDevice;
}

}  // namespace overlane
