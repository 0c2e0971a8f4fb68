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
    const CopyCount& count = context.toDevice(RuleId::SameStream);
    if (count.copies == 0 || !context.isWorthNaming(RuleId::SameStream))
        return {};
    return context.rated(RuleId::SameStream,
                         fmt::format("{} to the device ({}, {}) {} not held up by the host, but {} in a stream that "
                                     "also carries kernels, and a stream does its work in order; {}.",
                                     copiesText(count), formatBytes(count.bytes), formatDuration(count.durationNs),
                                     count.copies == 1 ? "is" : "are", count.copies == 1 ? "lies" : "lie",
                                     context.costText(RuleId::SameStream)));
}

}  // namespace

const Rule kSameStreamRule{
    RuleId::SameStream,
    "same-stream",
    "non_blocking without a side stream",
    "Copy the next batch on a side stream while this one is computed: with "
    "torch.cuda.stream(copy_stream): next = batch.to(device, non_blocking=True), then "
    "torch.cuda.current_stream().wait_stream(copy_stream) before it is used.",
    "Give the copies a stream made with cudaStreamCreateWithFlags(cudaStreamNonBlocking) and two buffers "
    "on the device; order them with cudaEventRecord and cudaStreamWaitEvent.",
    &ask,
    true,
};

}  // namespace overlane
