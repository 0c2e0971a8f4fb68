#include <fmt/format.h>

#include "core/base/units.h"
#include "core/findings/rule.h"
#include "core/findings/rule_context.h"

namespace overlane
{
namespace
{

RuleAnswer askGraphGaps(const RuleContext& context)
{
    if (context.costOf(RuleId::GraphGaps).shareOfWall < kProblemShare && !context.isHeadline(RuleId::GraphGaps))
        return {};
    const std::int64_t gaps = context.pieceCount(RuleId::GraphGaps);
    return context.rated(
        RuleId::GraphGaps,
        fmt::format("{} {} the GPU runs dry between two kernels of one CUDA graph; {}.", formatCount(gaps),
                    gaps == 1 ? "time" : "times", context.costText(RuleId::GraphGaps)));
}

}  // namespace

extern const Rule kGraphGapsRule{
    .rule = RuleId::GraphGaps,
    .id = "graph-gaps",
    .title = "Gaps between the kernels of a CUDA graph",
    .sentence = "Between two kernels of one CUDA graph the GPU runs nothing.",
    .lesson = "small_tensors",
    .helpPage = "findings-gpu",
    .changePyTorch =
        "Make the kernels of the graph fewer and longer: fuse them (torch.compile), or use a larger batch. Kernels "
        "that do not depend on each other run concurrently where they were captured on several streams.",
    .changeCuda =
        "Make the kernels of the graph fewer and longer, and capture those that do not depend on each other on streams "
        "of "
        "their own.",
    .causes = {LostCause::InGraph},
    .ask = &askGraphGaps,
};

}  // namespace overlane
