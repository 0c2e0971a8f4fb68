#include <fmt/format.h>

#include "core/base/units.h"
#include "core/findings/rule_context.h"
#include "core/findings/rules.h"

namespace overlane
{
namespace
{

RuleAnswer ask(const RuleContext& context)
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

const Rule kGraphGapsRule{
    RuleId::GraphGaps,
    "graph-gaps",
    "Gaps between the kernels of a CUDA graph",
    "Make the kernels of the graph fewer and longer: fuse them (torch.compile), or use a larger batch. Kernels that do "
    "not depend on each other run beside each other where they were captured on several streams.",
    "Make the kernels of the graph fewer and longer, and capture those that do not depend on each other on streams of "
    "their own.",
    &ask,
    true,
};

}  // namespace overlane
