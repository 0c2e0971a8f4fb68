#include "app/ui/analysed_trace.h"

#include <utility>

#include "core/engine/device_profile.h"
#include "core/loader/run.h"

namespace overlane
{

AnalysedTrace analysed(Trace trace)
{
    AnalysedTrace answer;
    answer.writable = std::make_shared<Trace>(std::move(trace));
    answer.trace = answer.writable;
    answer.analysis = std::make_shared<const Analysis>(*answer.trace);
    StepSequence sequence = detectSteps(*answer.trace);
    answer.steps = std::move(sequence.steps);
    answer.stepOrigin = sequence.origin;
    answer.stepConfidence = sequence.confidence;
    answer.title = QString::fromStdString(answer.trace->metadata().title);
    return answer;
}

Result<AnalysedTrace> simulatedTrace(const Scenario& scenario, const DeviceProfile& device, Progress& progress)
{
    Result<RunResult> run = simulate(scenario, device, &progress);
    if (!run.ok())
        return Error{run.error()};
    AnalysedTrace made = analysed(std::move(run.value().trace));
    made.memory = RunMemory{run.value().pinnedPeakBytes, run.value().swapPeakBytes,
                            scenario.ramBytes > 0 ? scenario.ramBytes : device.ramBytes};
    return made;
}

}  // namespace overlane
