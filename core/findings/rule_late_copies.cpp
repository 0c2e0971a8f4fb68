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
    const CopyCount& count = context.toDevice(RuleId::LateCopies);
    if (count.copies == 0 || !context.isWorthNaming(RuleId::LateCopies))
        return {};
    return context.rated(
        RuleId::LateCopies,
        fmt::format("{} to the device ({}, {}) {}{}, but asked for when no kernel was left to hide {}; {}.",
                    copiesText(count), formatBytes(count.bytes), formatDuration(count.durationNs),
                    count.copies == 1 ? "is" : "are",
                    count.pinned == count.copies ? " pinned and asynchronous" : " asynchronous",
                    count.copies == 1 ? "it" : "them", context.costText(RuleId::LateCopies)));
}

}  // namespace

const Rule kLateCopiesRule{
    RuleId::LateCopies,
    "late-copies",
    "Copies asked for too late",
    "Prefetch one batch more: ask for the copy of the next batch before the kernels of this one are "
    "launched.",
    "Issue cudaMemcpyAsync for batch i + 1 before the kernels of batch i, with two buffers on the "
    "device.",
    &ask,
    true,
};

}  // namespace overlane
