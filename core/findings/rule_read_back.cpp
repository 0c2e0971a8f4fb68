#include <fmt/format.h>

#include "core/base/units.h"
#include "core/findings/rule.h"
#include "core/findings/rule_context.h"

namespace overlane
{
namespace
{

RuleAnswer askReadBack(const RuleContext& context)
{
    const CopyCount& count = context.toHost(RuleId::ReadBack);
    if (count.copies == 0 || !context.isWorthNaming(RuleId::ReadBack))
        return {};
    return context.rated(RuleId::ReadBack,
                         fmt::format("{} back from the device ({}, {}) {} while no kernel runs; {}.", copiesText(count),
                                     formatBytes(count.bytes), formatDuration(count.durationNs),
                                     count.copies == 1 ? "runs" : "run", context.costText(RuleId::ReadBack)));
}

std::string_view readBackTitle(CopyRole role, const ProgramTraits&)
{
    switch (role) {
        case CopyRole::Activation:
            return "Activations copied out while the GPU waits";
        case CopyRole::Gradient:
            return "Gradients copied out while the GPU waits";
        case CopyRole::Parameter:
            return "Parameters copied out while the GPU waits";
        case CopyRole::OptimizerState:
            return "Optimizer state copied out while the GPU waits";
        case CopyRole::KvCache:
            return "KV cache copied out while the GPU waits";
        default:
            return {};
    }
}

}  // namespace

extern const Rule kReadBackRule{
    .rule = RuleId::ReadBack,
    .id = "read-back",
    .title = "Results read back while the GPU waits",
    .sentence = "Results are copied back while no kernel runs.",
    .lesson = "reading_too_early",
    .helpPage = "findings-transfers",
    .changePyTorch =
        "Copy results into a pinned tensor with non_blocking=True on a side stream, record an event, and "
        "read them some steps later.",
    .changeCuda =
        "cudaMemcpyAsync into pinned memory on a stream of its own, which waits for the kernel by "
        "cudaStreamWaitEvent; wait for its event only when the result is needed.",
    .remedy = Remedy::ReadLater,
    .whatIf = "pin+read_later",
    .causes = {LostCause::ReadBack},
    .ask = &askReadBack,
    .titleFor = &readBackTitle,
    .ofCopiesBack = true,
    .inLaunchingThread = true,
};

}  // namespace overlane
