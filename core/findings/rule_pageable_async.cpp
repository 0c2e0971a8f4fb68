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
    const CopyCount& count = context.toDevice(RuleId::PageableAsync);
    if (count.copies == 0)
        return count.all > 0 && count.unknownMemory == count.all
                   ? cannotTell("The trace does not name the kind of host memory of its copies.")
                   : RuleAnswer{};
    if (!context.isWorthNaming(RuleId::PageableAsync) && count.bytes * 10 < count.allBytes)
        return {};
    return context.rated(RuleId::PageableAsync,
                         fmt::format("{} to the device ({}, {}) {} from pageable memory: the driver stages {}, and the "
                                     "call waits for that, asynchronous or not; {}.",
                                     copiesText(count), formatBytes(count.bytes), formatDuration(count.durationNs),
                                     count.copies == 1 ? "comes" : "come", count.copies == 1 ? "it" : "each",
                                     context.costText(RuleId::PageableAsync)));
}

}  // namespace

const Rule kPageableAsyncRule{
    RuleId::PageableAsync,
    "pageable-async",
    "Pageable memory makes asynchronous copies wait",
    "Pin the batches: DataLoader(pin_memory=True), and keep .to(device, non_blocking=True), which needs "
    "pinned memory to return at once.",
    "Allocate the source with cudaHostAlloc (once, outside the loop): cudaMemcpyAsync from pageable "
    "memory is staged by the driver while the caller waits.",
    &ask,
    false,
};

}  // namespace overlane
