#include <fmt/format.h>

#include "core/base/units.h"
#include "core/findings/rule.h"
#include "core/findings/rule_context.h"

namespace overlane
{
namespace
{

RuleAnswer askOneDirection(const RuleContext& context)
{
    const CopyCount& count = context.toHost(RuleId::OneDirection);
    if (count.copies == 0 || !context.isWorthNaming(RuleId::OneDirection))
        return {};
    return context.rated(RuleId::OneDirection,
                         fmt::format("{} back from the device ({}, {}) {} alone in gaps in which copies to the device "
                                     "run alone, too, though the link carries both at once; {}.",
                                     copiesText(count), formatBytes(count.bytes), formatDuration(count.durationNs),
                                     count.copies == 1 ? "runs" : "run", context.costText(RuleId::OneDirection)));
}

}  // namespace

extern const Rule kOneDirectionRule{
    .rule = RuleId::OneDirection,
    .id = "one-direction",
    .title = "Copies to and from the device take turns",
    .sentence = "Copies to and from the device take turns, though the link carries both at once.",
    .lesson = "both_directions",
    .helpPage = "findings-link",
    .changePyTorch =
        "Put the copies back on another stream than the copies to the device: each direction has an engine "
        "of its own, and both can run at once.",
    .changeCuda =
        "Use one stream per direction: the two copy engines work at the same time, and the link carries both "
        "directions at once.",
    .causes = {LostCause::ReadBack},
    .ask = &askOneDirection,
    .ofCopiesBack = true,
};

}  // namespace overlane
