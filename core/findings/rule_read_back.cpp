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
    const CopyCount& count = context.toHost(RuleId::ReadBack);
    if (count.copies == 0 || !context.isWorthNaming(RuleId::ReadBack))
        return {};
    return context.rated(RuleId::ReadBack,
                         fmt::format("{} back from the device ({}, {}) {} while no kernel runs; {}.", copiesText(count),
                                     formatBytes(count.bytes), formatDuration(count.durationNs),
                                     count.copies == 1 ? "runs" : "run", context.costText(RuleId::ReadBack)));
}

}  // namespace

const Rule kReadBackRule{
    RuleId::ReadBack,
    "read-back",
    "Results read back while the GPU waits",
    "Copy results into a pinned tensor with non_blocking=True on a side stream, record an event, and "
    "read them some steps later.",
    "cudaMemcpyAsync into pinned memory on a stream of its own, which waits for the kernel by "
    "cudaStreamWaitEvent; wait for its event only when the result is needed.",
    &ask,
    true,
};

}  // namespace overlane
