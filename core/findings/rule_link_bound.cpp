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
    const CopyCount count = context.toDevice(RuleId::LinkBound);
    if (count.copies == 0 || !context.isWorthNaming(RuleId::LinkBound))
        return {};
    std::int64_t copyNs = 0;
    std::int64_t kernelNs = 0;
    for (const DeviceSummary& device : context.summary.devices) {
        copyNs += device.h2dBusyNs;
        kernelNs += device.kernelBusyNs;
    }
    return context.rated(RuleId::LinkBound,
                         fmt::format("{} to the device ({}) begin right behind another copy that kept the engine busy: "
                                     "the link is busy {}, the kernels {}; {}.",
                                     copiesText(count), formatBytes(count.bytes), formatDuration(copyNs),
                                     formatDuration(kernelNs), context.costText(RuleId::LinkBound)));
}

}  // namespace

const Rule kLinkBoundRule{
    RuleId::LinkBound,
    "link-bound",
    "Copies queue for the link",
    "Send less: uint8 images and float16 instead of float32, no unused columns, decode or augment on the "
    "GPU; a larger model or more work per batch hides more.",
    "Send less per batch, or compress it; more streams do not help, since copies of one direction share "
    "one engine.",
    &ask,
    true,
};

}  // namespace overlane
