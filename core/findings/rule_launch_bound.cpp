#include <fmt/format.h>

#include "core/base/counted.h"
#include "core/base/saturated.h"
#include "core/base/units.h"
#include "core/findings/rule.h"
#include "core/findings/rule_context.h"

namespace overlane
{
namespace
{

RuleAnswer askLaunchBound(const RuleContext& context)
{
    if (!context.hasHostCalls())
        return cannotTell("The trace holds no host calls, so when kernels were launched is not known.");
    if (!context.isWorthNaming(RuleId::LaunchBound))
        return {};
    std::int64_t kernels = 0;
    std::int64_t busyNs = 0;
    for (const DeviceSummary& device : context.summary.devices) {
        kernels += device.kernels;
        busyNs = saturatedSum(busyNs, device.kernelBusyNs);
    }
    std::int64_t graphNs = 0;
    for (const DeviceActivity& device : context.analysis.devices())
        graphNs = saturatedSum(graphNs, device.graphKernels.measureNs(context.range));
    RuleAnswer answer = context.rated(
        RuleId::LaunchBound,
        fmt::format("{} the GPU runs dry between kernels that end before the next launch arrives; its {} "
                    "last {} on average; {}.",
                    counted(context.pieceCount(RuleId::LaunchBound), "time"), counted(kernels, "kernel"),
                    formatDuration(kernels > 0 ? busyNs / kernels : 0), context.costText(RuleId::LaunchBound)));
    if (graphNs > 0 && graphNs >= busyNs / 2)
        answer.change = "Launch less: put more of the loop into the CUDA graph that runs, or use a larger batch.";
    else if (context.analysis.program().hasOptimizer)
        answer.changePyTorch =
            "Launch less: torch.compile(mode=\"reduce-overhead\"), which uses CUDA graphs, or a larger batch; an "
            "optimizer that launches much can be fused (fused=True).";
    return answer;
}

}  // namespace

extern const Rule kLaunchBoundRule{
    .rule = RuleId::LaunchBound,
    .id = "launch-bound",
    .title = "The GPU waits for launches of short kernels",
    .sentence = "The GPU waits for launches: its kernels are shorter than what launching them costs.",
    .lesson = "small_tensors",
    .helpPage = "findings-host",
    .changePyTorch = "Launch less: torch.compile(mode=\"reduce-overhead\"), which uses CUDA graphs, or a larger batch.",
    .changeCuda = "Record the loop body into a CUDA graph (cudaStreamBeginCapture, cudaGraphLaunch), or fuse kernels.",
    .remedy = Remedy::LaunchLess,
    .causes = {LostCause::LaunchBound},
    .ask = &askLaunchBound,
    .inLaunchingThread = true,
};

}  // namespace overlane
