#include "core/compare/device_steps.h"

#include <algorithm>
#include <limits>

namespace overlane
{
namespace
{

constexpr std::size_t kFewestSteps = 3;
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

// When the first kernel that was launched within [fromNs, toNs) began; kNever where none was.
std::int64_t firstKernelOf(const Trace& trace, const Analysis& analysis, std::int64_t fromNs, std::int64_t toNs)
{
    std::int64_t first = kNever;
    for (const HostActivity::LaunchingThread& thread : analysis.host().launchingThreads) {
        auto call = std::lower_bound(thread.calls.begin(), thread.calls.end(), fromNs,
                                     [](const GpuCall& c, std::int64_t timeNs) { return c.startNs < timeNs; });
        for (; call != thread.calls.end() && call->startNs < toNs; ++call) {
            const EventIndex work = trace.link(call->event);
            if (!work.valid() || trace.kind(work) != EventKind::Kernel)
                continue;
            first = std::min(first, trace.interval(work).startNs);
            break;
        }
    }
    return first;
}

}  // namespace

StepSequence deviceSteps(const Trace& trace, const Analysis& analysis, const StepSequence& steps)
{
    if (steps.steps.size() < kFewestSteps || !steps.onHost)
        return steps;
    StepSequence onDevice = steps;
    std::vector<Step>& made = onDevice.steps;
    for (std::size_t i = 0; i < made.size(); ++i) {
        const std::int64_t fromNs = steps.steps[i].interval.startNs;
        const std::int64_t toNs =
            i + 1 < made.size() ? steps.steps[i + 1].interval.startNs : std::max(fromNs, steps.steps[i].interval.endNs);
        made[i].interval.startNs = firstKernelOf(trace, analysis, fromNs, toNs);
        if (made[i].interval.startNs == kNever || (i > 0 && made[i].interval.startNs <= made[i - 1].interval.startNs))
            return steps;
    }
    for (std::size_t i = 0; i + 1 < made.size(); ++i)
        made[i].interval.endNs = made[i + 1].interval.startNs;
    made.pop_back();  // nothing tells where it ends
    onDevice.statistics = markSteps(made);
    return onDevice;
}

std::int64_t meanStepNs(const std::vector<Step>& steps)
{
    std::int64_t sumNs = 0;
    std::int64_t count = 0;
    for (const Step& step : steps)
        if (!step.warmUp) {
            sumNs += step.timeNs;
            ++count;
        }
    return count == 0 ? 0 : sumNs / count;
}

}  // namespace overlane
