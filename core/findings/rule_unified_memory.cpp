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
    const std::int64_t moves = context.evidenceCount(RuleId::UnifiedMemory);
    if (moves == 0 || !context.isWorthNaming(RuleId::UnifiedMemory))
        return {};
    return context.rated(
        RuleId::UnifiedMemory,
        fmt::format("{} {} of managed memory between host and device, started by page faults; {}.", formatCount(moves),
                    moves == 1 ? "move" : "moves", context.costText(RuleId::UnifiedMemory)));
}

}  // namespace

const Rule kUnifiedMemoryRule{
    RuleId::UnifiedMemory,
    "unified-memory",
    "Unified memory moves on demand",
    "Keep training data in pinned memory and copy it, instead of in managed memory.",
    "cudaMemPrefetchAsync ahead of the kernel that needs the pages, cudaMemAdvise for what both sides "
    "read, or pinned buffers and explicit copies.",
    &ask,
    true,
};

}  // namespace overlane
