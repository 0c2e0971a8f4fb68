#include <fmt/format.h>

#include "core/base/units.h"
#include "core/findings/rule.h"
#include "core/findings/rule_context.h"

namespace overlane
{
namespace
{

RuleAnswer askUnifiedMemory(const RuleContext& context)
{
    const std::int64_t moves = context.evidenceCount(RuleId::UnifiedMemory);
    if (moves == 0 || !context.isWorthNaming(RuleId::UnifiedMemory))
        return {};
    return context.rated(
        RuleId::UnifiedMemory,
        fmt::format("{} {} of managed memory between host and device, started by page faults; {}.", formatCount(moves),
                    moves == 1 ? "move" : "moves", context.costText(RuleId::UnifiedMemory)));
}

}  // namespace

extern const Rule kUnifiedMemoryRule{
    .rule = RuleId::UnifiedMemory,
    .id = "unified-memory",
    .title = "Unified memory moves on demand",
    .sentence = "Managed memory moves page by page when it is touched, and kernels wait.",
    .lesson = "two_copies",
    .helpPage = "findings-transfers",
    .changePyTorch = "Keep training data in pinned memory and copy it, instead of in managed memory.",
    .changeCuda =
        "cudaMemPrefetchAsync ahead of the kernel that needs the pages, cudaMemAdvise for what both sides "
        "read, or pinned buffers and explicit copies.",
    .causes = {LostCause::Copies, LostCause::Staging, LostCause::ReadBack, LostCause::Migration, LostCause::OtherWork},
    .copyCauses = {CopyCause::UnifiedMemory},
    .ask = &askUnifiedMemory,
};

}  // namespace overlane
