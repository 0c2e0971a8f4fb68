#include "core/watch/window_figures.h"

#include "core/base/statistics.h"
#include "core/compare/device_steps.h"
#include "core/judgement/time_parts.h"

namespace overlane
{
namespace
{

GpuFigures figuresOf(const Judgement& judgement, const DeviceSummary& device)
{
    const auto perStep = [&](std::int64_t sum) {
        return judgement.stepNs > 0 ? perStepNs(sum, judgement.range, judgement.stepNs) : sum;
    };
    GpuFigures figures;
    figures.id = device.id;
    figures.kernels = shareOf(device.kernelBusyNs, device.wallNs);
    figures.idle = shareOf(device.idleNs, device.wallNs);
    if (device.h2dBusyNs > 0)
        figures.overlap = device.overlapShare;
    figures.exposedCopies = shareOf(device.exposedCopyNs, device.wallNs);
    figures.exposedCommunication = shareOf(device.exposedCommunicationNs, device.wallNs);
    figures.exposedCopiesNs = perStep(device.exposedCopyNs);
    figures.toDeviceBytes = perStep(device.h2dBytes);
    figures.toHostBytes = perStep(device.d2hBytes);
    for (const TimePart& part : timeParts(judgement, device))
        if (part.cause)
            figures.losses.emplace_back(*part.cause, shareOf(part.timeNs, device.wallNs));
    return figures;
}

}  // namespace

WindowFigures windowFigures(const JudgedTrace& judged)
{
    const Judgement& judgement = judged.judgement;
    WindowFigures figures;
    figures.rangeNs = judgement.range.lengthNs();
    figures.steps = judgement.steps;
    figures.stepNs = judgement.stepNs;
    const StepSequence steps = deviceSteps(judged.trace, judged.analysis, judged.steps);
    for (const Step& step : stepsWithin(steps.steps, judgement.range))
        if (!step.warmUp)
            figures.stepsNs.push_back(static_cast<double>(step.timeNs));
    for (const DeviceSummary& device : judgement.summary.devices) {
        if (device.id == judgement.verdict.device)
            figures.worst = figures.gpus.size();
        figures.gpus.push_back(figuresOf(judgement, device));
    }
    figures.headline = judgement.headline();
    return figures;
}

}  // namespace overlane
