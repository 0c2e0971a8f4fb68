#include <fmt/format.h>

#include "core/base/units.h"
#include "core/findings/rule.h"
#include "core/findings/rule_context.h"

namespace overlane
{
namespace
{

RuleAnswer askPinInTrainingThread(const RuleContext& context)
{
    const FindingCost cost = context.costOf(RuleId::PinInTrainingThread);
    if (!context.hasHostCalls())
        return cannotTell("The trace shows no thread that launches GPU work.");
    if (!context.isWorthNaming(RuleId::PinInTrainingThread))
        return {};
    return context.rated(
        RuleId::PinInTrainingThread,
        fmt::format("The thread that launches GPU work copies each batch into pinned memory itself, {}{}; {}.",
                    formatDuration(context.steps > 0 ? cost.hostBlockedPerStepNs : cost.hostBlockedNs),
                    context.steps > 0 ? " in each step" : "", context.costText(RuleId::PinInTrainingThread)));
}

}  // namespace

extern const Rule kPinInTrainingThreadRule{
    .rule = RuleId::PinInTrainingThread,
    .id = "pin-in-training-thread",
    .title = "Pinned just before the copy, in the training thread",
    .sentence = "Pinning just before the copy costs the training thread as much as it saves.",
    .lesson = "pin_then_copy",
    .helpPage = "findings-pinning",
    .changePyTorch =
        "Use DataLoader(pin_memory=True), which pins in a thread of its own, instead of batch.pin_memory() "
        "in the loop.",
    .changeCuda =
        "Fill pinned buffers in another thread, or let the producers write into a ring of pinned buffers "
        "made once.",
    .remedy = Remedy::PinOnce,
    .whatIf = "pin",
    .causes = {LostCause::Pinning},
    .ask = &askPinInTrainingThread,
    .inLaunchingThread = true,
};

}  // namespace overlane
