#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <utility>

#include "core/base/saturated.h"
#include "core/base/units.h"
#include "core/findings/rule.h"
#include "core/findings/rule_context.h"

namespace overlane
{
namespace
{

RuleAnswer askLinkBound(const RuleContext& context)
{
    const CopyCount& count = context.toDevice(RuleId::LinkBound);
    if (count.copies == 0 || !context.isWorthNaming(RuleId::LinkBound))
        return {};
    std::int64_t copyNs = 0;
    std::int64_t kernelNs = 0;
    for (const DeviceSummary& device : context.summary.devices) {
        copyNs = saturatedSum(copyNs, device.h2dBusyNs);
        kernelNs = saturatedSum(kernelNs, device.kernelBusyNs);
    }
    const auto share = [&](std::int64_t busyNs) {
        return formatShare(
            static_cast<double>(busyNs) /
            static_cast<double>(context.range.lengthNs() * static_cast<std::int64_t>(context.summary.devices.size())));
    };
    std::string sentence = fmt::format(
        "{} to the device ({}) keep the GPU waiting for the link, which is busy {} of the "
        "time, the kernels {}; {}.",
        copiesText(count), formatBytes(count.bytes), share(copyNs), share(kernelNs),
        context.costText(RuleId::LinkBound));
    const std::int64_t parts =
        std::max<std::int64_t>(context.steps, 1) * static_cast<std::int64_t>(context.summary.devices.size());
    if (copyNs > kernelNs)
        sentence += fmt::format(" Hidden entirely, the copies would still take {}{}.", formatDuration(copyNs / parts),
                                context.steps > 0 ? " in each step" : "");
    return context.rated(RuleId::LinkBound, std::move(sentence));
}

}  // namespace

extern const Rule kLinkBoundRule{
    .rule = RuleId::LinkBound,
    .id = "link-bound",
    .title = "Copies queue for the link",
    .sentence = "The link is busy for longer than the kernels: hiding copies cannot help enough.",
    .lesson = "three_stages",
    .helpPage = "findings-link",
    .changePyTorch =
        "Send less: uint8 images and float16 instead of float32, no unused columns, decode or augment on the "
        "GPU; a larger model or more work per batch hides more.",
    .changeCuda =
        "Send less per batch, or compress it; more streams do not help, since copies of one direction share "
        "one engine.",
    .remedy = Remedy::SendLess,
    .whatIf = "link",
    .causes = {LostCause::Copies, LostCause::Staging},
    .copyCauses = {CopyCause::EngineBusy},
    .ask = &askLinkBound,
};

}  // namespace overlane
