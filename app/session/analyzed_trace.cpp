#include "app/session/analyzed_trace.h"

#include <utility>

#include "app/session/freed_on_pool.h"
#include "core/analysis/timed_steps.h"
#include "core/devices/device_profile.h"
#include "core/loader/run.h"

namespace overlane
{

std::shared_ptr<const Judgement> judgementOf(const AnalyzedTrace& trace, std::optional<Interval> range, bool live,
                                             const WorkMeter& work)
{
    JudgeRequest request;
    request.range = range;
    request.live = live;
    request.depth = Depth::Verdict;
    return std::make_shared<const Judgement>(judge({*trace.trace, *trace.analysis, trace.steps.steps}, request, work));
}

AnalyzedTrace analyzed(Trace trace, const WorkMeter& work)
{
    AnalyzedTrace answer;
    answer.writable = madeFreedOnPool<Trace>(std::move(trace));
    answer.saved = std::make_shared<SavedState>();
    answer.trace = answer.writable;
    answer.pyramids = madeFreedOnPool<const TracePyramids>(answer.trace);
    answer.analysis = madeFreedOnPool<const Analysis>(*answer.trace, work);
    answer.steps = timedSteps(*answer.trace, *answer.analysis);
    answer.judged = judgementOf(answer, {}, false, work);
    answer.title = QString::fromStdString(answer.trace->metadata().title);
    return answer;
}

Result<AnalyzedTrace> analyzed(Trace trace, const Progress& progress)
{
    return attempt("judge the trace", &progress,
                   [&](const WorkMeter& work) { return analyzed(std::move(trace), work); });
}

Result<AnalyzedTrace> simulatedTrace(const Scenario& scenario, const DeviceProfile& device, Progress& progress)
{
    ASSIGN_OR_RETURN(RunResult run, simulate(scenario, device, &progress));
    Result<AnalyzedTrace> judged = analyzed(std::move(run.trace), progress);
    if (!judged.ok())
        return judged;
    AnalyzedTrace made = std::move(judged).value();
    made.memory =
        RunMemory{run.pinnedPeakBytes, run.swapPeakBytes, scenario.ramBytes > 0 ? scenario.ramBytes : device.ramBytes};
    return made;
}

}  // namespace overlane
