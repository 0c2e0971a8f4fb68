#include <fmt/format.h>

#include "core/base/units.h"
#include "core/findings/rule.h"
#include "core/findings/rule_context.h"

namespace overlane
{
namespace
{

RuleAnswer askPageableSideStream(const RuleContext& context)
{
    if (const std::optional<RuleAnswer> answer = context.answerWithoutPageable(RuleId::PageableSideStream))
        return *answer;
    const CopyCount& count = context.toDevice(RuleId::PageableSideStream);
    return context.rated(RuleId::PageableSideStream,
                         fmt::format("{} to the device ({}, {}) {} a stream with no kernels, but {} pageable: the host "
                                     "waits while the driver stages {}, and queues nothing; {}.",
                                     copiesText(count), formatBytes(count.bytes), formatDuration(count.durationNs),
                                     count.copies == 1 ? "has" : "have", count.copies == 1 ? "is" : "are",
                                     count.copies == 1 ? "it" : "each", context.costText(RuleId::PageableSideStream)));
}

}  // namespace

extern const Rule kPageableSideStreamRule{
    .rule = RuleId::PageableSideStream,
    .id = "pageable-side-stream",
    .title = "Side stream without pinned memory",
    .sentence = "A side stream hides nothing while the memory is pageable: the host is blocked and launches no kernel.",
    .lesson = "side_stream",
    .helpPage = "findings-pinning",
    .changePyTorch =
        "Pin what the side stream copies: DataLoader(pin_memory=True), or batch.pin_memory() in a thread of "
        "its own.",
    .changeCuda =
        "Allocate the source with cudaHostAlloc: a stream of its own lets a copy overlap kernels only if "
        "the driver need not stage it.",
    .remedy = Remedy::Pin,
    .whatIf = "pin",
    .causes = {LostCause::Copies, LostCause::Staging},
    .copyCauses = {CopyCause::PageableMemory},
    .ask = &askPageableSideStream,
    .inLaunchingThread = true,
};

}  // namespace overlane
