#include <fmt/format.h>

#include "core/base/units.h"
#include "core/findings/rule.h"
#include "core/findings/rule_context.h"

namespace overlane
{
namespace
{

RuleAnswer askStreamWait(const RuleContext& context)
{
    const CopyCount& count = context.toDevice(RuleId::StreamWait);
    if (count.copies == 0 || !context.isWorthNaming(RuleId::StreamWait))
        return {};
    return context.rated(RuleId::StreamWait,
                         fmt::format("{} to the device ({}) began only when an event or another stream let {}, right "
                                     "after kernels that could have hidden {}; {}.",
                                     copiesText(count), formatBytes(count.bytes), count.copies == 1 ? "it" : "them",
                                     count.copies == 1 ? "it" : "them", context.costText(RuleId::StreamWait)));
}

}  // namespace

extern const Rule kStreamWaitRule{
    .rule = RuleId::StreamWait,
    .id = "stream-wait",
    .title = "Copies that wait for the compute stream",
    .sentence = "The copy's stream was told to wait for the compute stream, so the copy comes after the kernels.",
    .lesson = "prefetch_depth",
    .helpPage = "findings-streams",
    .changePyTorch =
        "Let the copy stream wait only for what last used its target, not for all kernels: keep two batches "
        "on the device, and record the event right behind the kernel that reads the older one.",
    .changeCuda =
        "Replace the wait for the whole compute stream by cudaStreamWaitEvent on an event recorded behind "
        "the last kernel that reads the buffer; use one more device buffer.",
    .whatIf = "side_stream",
    .causes = {LostCause::Copies, LostCause::Staging},
    .copyCauses = {CopyCause::EventDependency},
    .ask = &askStreamWait,
};

}  // namespace overlane
