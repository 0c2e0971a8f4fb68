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
    const CopyCount& count = context.toDevice(RuleId::PageableSideStream);
    if (count.copies == 0)
        return count.all > 0 && count.unknownMemory == count.all
                   ? cannotTell("The trace does not name the kind of host memory of its copies.")
                   : RuleAnswer{};
    if (!context.isWorthNaming(RuleId::PageableSideStream) && count.bytes * 10 < count.allBytes)
        return {};
    return context.rated(RuleId::PageableSideStream,
                         fmt::format("{} to the device ({}, {}) {} a stream without kernels, but {} pageable: the host "
                                     "waits while the driver stages {}, and queues nothing; {}.",
                                     copiesText(count), formatBytes(count.bytes), formatDuration(count.durationNs),
                                     count.copies == 1 ? "has" : "have", count.copies == 1 ? "is" : "are",
                                     count.copies == 1 ? "it" : "each", context.costText(RuleId::PageableSideStream)));
}

}  // namespace

const Rule kPageableSideStreamRule{
    RuleId::PageableSideStream,
    "pageable-side-stream",
    "Side stream without pinned memory",
    "Pin what the side stream copies: DataLoader(pin_memory=True), or batch.pin_memory() in a thread of "
    "its own.",
    "Allocate the source with cudaHostAlloc: a stream of its own lets a copy run beside kernels only if "
    "the driver need not stage it.",
    &ask,
    true,
};

}  // namespace overlane
