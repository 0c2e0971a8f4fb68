#include <fmt/format.h>

#include "core/base/saturated.h"
#include "core/base/units.h"
#include "core/findings/rule.h"
#include "core/findings/rule_context.h"

namespace overlane
{
namespace
{

RuleAnswer askExposedCommunication(const RuleContext& context)
{
    std::int64_t times = 0;
    std::int64_t busyNs = 0;
    std::int64_t hiddenNs = 0;
    for (const DeviceSummary& device : context.summary.devices) {
        times = saturatedSum(times, device.communications);
        busyNs = saturatedSum(busyNs, device.communicationBusyNs);
        hiddenNs = saturatedSum(hiddenNs, device.communicationHiddenNs);
    }
    if (busyNs == 0 || !context.isWorthNaming(RuleId::ExposedCommunication))
        return {};
    return context.rated(RuleId::ExposedCommunication,
                         fmt::format("{} {} between GPUs, {} in all, {} of it during compute kernels; {}.",
                                     formatCount(times), times == 1 ? "exchange" : "exchanges", formatDuration(busyNs),
                                     formatShare(static_cast<double>(hiddenNs) / static_cast<double>(busyNs)),
                                     context.costText(RuleId::ExposedCommunication)));
}

}  // namespace

extern const Rule kExposedCommunicationRule{
    .rule = RuleId::ExposedCommunication,
    .id = "exposed-communication",
    .title = "Communication that no compute hides",
    .sentence = "GPUs exchange data while they compute nothing: start it earlier, send less, or wait for no slow GPU.",
    .lesson = "three_stages",
    .helpPage = "findings-transfers",
    .changePyTorch =
        "Send gradients in buckets while the backward pass still computes (DistributedDataParallel does, FSDP with "
        "backward_prefetch), send less (bfloat16, gradient accumulation with no_sync()), and compare the ranks: a "
        "collective also waits for the slowest GPU.",
    .changeCuda =
        "Put the collectives on a stream of their own and launch compute that does not need their result while they "
        "run; combine small ones (ncclGroupStart); between GPUs of one process copy with cudaMemcpyPeerAsync on such "
        "a stream.",
    .causes = {LostCause::Communication},
    .ask = &askExposedCommunication,
};

}  // namespace overlane
