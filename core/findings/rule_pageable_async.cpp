#include <fmt/format.h>

#include "core/base/units.h"
#include "core/findings/rule.h"
#include "core/findings/rule_context.h"

namespace overlane
{
namespace
{

RuleAnswer askPageableAsync(const RuleContext& context)
{
    if (const std::optional<RuleAnswer> answer = context.answerWithoutPageable(RuleId::PageableAsync))
        return *answer;
    const CopyCount& count = context.toDevice(RuleId::PageableAsync);
    return context.rated(RuleId::PageableAsync,
                         fmt::format("{} to the device ({}, {}) {} from pageable memory: the driver stages {}, and the "
                                     "call waits for that, asynchronous or not; {}.",
                                     copiesText(count), formatBytes(count.bytes), formatDuration(count.durationNs),
                                     count.copies == 1 ? "comes" : "come", count.copies == 1 ? "it" : "each",
                                     context.costText(RuleId::PageableAsync)));
}

}  // namespace

extern const Rule kPageableAsyncRule{
    .rule = RuleId::PageableAsync,
    .id = "pageable-async",
    .title = "Pageable memory makes asynchronous copies wait",
    .sentence = "From pageable memory an asynchronous copy still makes the host wait while the driver stages it.",
    .lesson = "why_pinned",
    .helpPage = "findings-pinning",
    .changePyTorch =
        "Pin the batches: DataLoader(pin_memory=True), and keep .to(device, non_blocking=True), which needs "
        "pinned memory to return at once.",
    .changeCuda =
        "Allocate the source with cudaHostAlloc (once, outside the loop): cudaMemcpyAsync from pageable "
        "memory is staged by the driver while the caller waits.",
    .remedy = Remedy::Pin,
    .whatIf = "pin",
    .causes = {LostCause::Copies, LostCause::Staging},
    .copyCauses = {CopyCause::PageableMemory},
    .ask = &askPageableAsync,
    .needsKernels = false,
    .inLaunchingThread = true,
};

}  // namespace overlane
