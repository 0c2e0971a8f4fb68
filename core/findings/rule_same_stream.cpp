#include <fmt/format.h>

#include "core/base/units.h"
#include "core/findings/rule.h"
#include "core/findings/rule_context.h"

namespace overlane
{
namespace
{

RuleAnswer askSameStream(const RuleContext& context)
{
    const CopyCount& count = context.toDevice(RuleId::SameStream);
    if (count.copies == 0 || !context.isWorthNaming(RuleId::SameStream))
        return {};
    return context.rated(RuleId::SameStream,
                         fmt::format("{} to the device ({}, {}) {} not blocked by the host, but {} in a stream that "
                                     "also carries kernels, and a stream does its work in order; {}.",
                                     copiesText(count), formatBytes(count.bytes), formatDuration(count.durationNs),
                                     count.copies == 1 ? "is" : "are", count.copies == 1 ? "lies" : "lie",
                                     context.costText(RuleId::SameStream)));
}

std::string_view sameStreamTitle(CopyRole role, const ProgramTraits& program)
{
    return isOffloaded(role) || !program.isPyTorch() ? "Copies on the stream of the kernels" : std::string_view();
}

}  // namespace

extern const Rule kSameStreamRule{
    .rule = RuleId::SameStream,
    .id = "same-stream",
    .title = "non_blocking without a side stream",
    .sentence =
        "The copies block no thread, but one stream does its work in order: a copy waits for the kernels before it.",
    .lesson = "side_stream",
    .helpPage = "findings-streams",
    .changePyTorch =
        "Copy the next batch on a side stream while this one is computed: with "
        "torch.cuda.stream(copy_stream): next = batch.to(device, non_blocking=True), then "
        "torch.cuda.current_stream().wait_stream(copy_stream) before it is used.",
    .changeCuda =
        "Give the copies a stream made with cudaStreamCreateWithFlags(cudaStreamNonBlocking) and two buffers "
        "on the device; order them with cudaEventRecord and cudaStreamWaitEvent.",
    .remedy = Remedy::CopyStream,
    .whatIf = "side_stream",
    .causes = {LostCause::Copies, LostCause::Staging},
    .copyCauses = {CopyCause::SameStream},
    .ask = &askSameStream,
    .titleFor = &sameStreamTitle,
};

}  // namespace overlane
