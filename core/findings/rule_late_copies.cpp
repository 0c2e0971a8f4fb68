#include <algorithm>
#include <fmt/format.h>

#include "core/base/units.h"
#include "core/findings/rule.h"
#include "core/findings/rule_context.h"

namespace overlane
{
namespace
{

RuleAnswer askLateCopies(const RuleContext& context)
{
    const CopyCount& count = context.toDevice(RuleId::LateCopies);
    // Nothing is late where no kernel runs at all.
    const auto computes = [](const DeviceSummary& device) { return device.kernelBusyNs > 0; };
    if (std::none_of(context.summary.devices.begin(), context.summary.devices.end(), computes))
        return {};
    if (count.copies == 0 || !context.isWorthNaming(RuleId::LateCopies))
        return {};
    return context.rated(
        RuleId::LateCopies,
        fmt::format("{} to the device ({}, {}) {}{}, but issued when no kernel was left to hide {}; {}.",
                    copiesText(count), formatBytes(count.bytes), formatDuration(count.durationNs),
                    count.copies == 1 ? "is" : "are",
                    count.pinned == count.copies ? " pinned and asynchronous" : " asynchronous",
                    count.copies == 1 ? "it" : "them", context.costText(RuleId::LateCopies)));
}

}  // namespace

extern const Rule kLateCopiesRule{
    .rule = RuleId::LateCopies,
    .id = "late-copies",
    .title = "Copies issued too late",
    .sentence = "Nothing prevents overlap, but the copies are issued when no kernel is left.",
    .lesson = "prefetch_depth",
    .helpPage = "findings-streams",
    .changePyTorch =
        "Prefetch one batch more: issue the copy of the next batch before the kernels of this one are "
        "launched.",
    .changeCuda =
        "Issue cudaMemcpyAsync for batch i + 1 before the kernels of batch i, with two buffers on the "
        "device.",
    .remedy = Remedy::Ahead,
    .whatIf = "side_stream",
    .causes = {LostCause::Copies, LostCause::Staging},
    .copyCauses = {CopyCause::NoCompute},
    .ask = &askLateCopies,
};

}  // namespace overlane
