#include <fmt/format.h>

#include "core/base/units.h"
#include "core/findings/rule.h"
#include "core/findings/rule_context.h"

namespace overlane
{
namespace
{

RuleAnswer askPinnedAllocation(const RuleContext& context)
{
    RuleContext late = context;
    late.range.startNs += context.range.lengthNs() / 2;
    const std::int64_t calls = context.evidenceCount(RuleId::PinnedAllocation);
    // What is allocated at the beginning, or now and then, is as it should be.
    const std::int64_t lateCalls = late.evidenceCount(RuleId::PinnedAllocation);
    if (lateCalls < 2 || lateCalls * 8 < context.steps)
        return calls == 0 && !context.hasHostCalls() ? cannotTell("The trace holds no host calls.") : RuleAnswer{};
    const FindingCost cost = context.costOf(RuleId::PinnedAllocation);
    const double heldShare = static_cast<double>(cost.hostBlockedNs) / static_cast<double>(context.range.lengthNs());
    if (heldShare < kWorthNaming && !context.isWorthNaming(RuleId::PinnedAllocation))
        return {};
    return context.rated(
        RuleId::PinnedAllocation,
        fmt::format("{} calls pin or release host memory while the steps run, {}; {}.", formatCount(calls),
                    context.steps > 0 ? fmt::format("{} in each step", formatDuration(cost.hostBlockedPerStepNs))
                                      : fmt::format("{} together", formatDuration(cost.hostBlockedNs)),
                    context.costText(RuleId::PinnedAllocation)));
}

}  // namespace

extern const Rule kPinnedAllocationRule{
    .rule = RuleId::PinnedAllocation,
    .id = "pinned-allocation",
    .title = "Pinned memory allocated inside the loop",
    .sentence = "Pinning memory costs far more than using it: do it once, outside the loop.",
    .lesson = "pool_and_rounding",
    .helpPage = "findings-pinning",
    .changePyTorch =
        "Allocate pinned buffers once and reuse them: DataLoader(pin_memory=True) and torch.empty(..., "
        "pin_memory=True) before the loop reuse blocks; a size that changes with every batch does not.",
    .changeCuda =
        "Call cudaHostAlloc once before the loop, and keep the buffers: cudaHostAlloc, cudaFreeHost and "
        "cudaHostRegister lock pages one by one, and freeing waits for the device.",
    .remedy = Remedy::PinOnce,
    .whatIf = "pin",
    .causes = {LostCause::Pinning},
    .ask = &askPinnedAllocation,
    .needsKernels = false,
    .inLaunchingThread = true,
};

}  // namespace overlane
