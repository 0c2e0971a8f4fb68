#include <fmt/format.h>
#include <optional>
#include <string>

#include "core/analysis/advice.h"
#include "core/base/counted.h"
#include "core/base/units.h"
#include "core/findings/rule.h"
#include "core/findings/rule_context.h"

namespace overlane
{
namespace
{

RuleAnswer askSyncPerStep(const RuleContext& context)
{
    if (!context.hasHostCalls())
        return cannotTell("The trace holds no host calls.");
    std::int64_t waits = context.evidenceCount(RuleId::SyncPerStep);
    if (waits == 0)  // waits that are rows of their own, not calls
        waits = context.pieceCount(RuleId::SyncPerStep);
    const bool often = context.steps > 0 ? waits >= 2 && waits * 2 >= context.steps : waits >= 3;
    if (!context.isHeadline(RuleId::SyncPerStep) && (!often || !context.isWorthNaming(RuleId::SyncPerStep)))
        return {};
    const std::string times =
        context.steps > 0 ? counted(waits, "time") + " in " + counted(context.steps, "step") : counted(waits, "time");
    const RuleContext::HeldBy held = context.heldBy(RuleId::SyncPerStep);
    const std::optional<Remedy> remedy = remedyOf(held.kind);
    RuleAnswer answer = context.rated(
        RuleId::SyncPerStep,
        remedy ? fmt::format("{} {} waits until the GPU has nothing left to do, an implicit synchronization, and the "
                             "host launches only then; {}.",
                             times, held.name, context.costText(RuleId::SyncPerStep))
               : fmt::format("{} the host waits until the GPU has nothing left to do, and launches only then; {}.",
                             times, context.costText(RuleId::SyncPerStep)));
    if (remedy)
        answer.change = advice(*remedy, CopyRole::Unknown, context.analysis.program());
    return answer;
}

}  // namespace

extern const Rule kSyncPerStepRule{
    .rule = RuleId::SyncPerStep,
    .id = "sync-per-step",
    .title = "The host waits for the GPU in every step",
    .sentence = "A wait in every step (.item(), synchronize) ends the host's lead, and the GPU runs dry.",
    .lesson = "run_ahead",
    .helpPage = "findings-host",
    .changePyTorch =
        "No .item(), .cpu(), print(loss) or torch.cuda.synchronize() in every step: keep loss.detach() on "
        "the GPU and read it every some tens of steps, after later work has been launched.",
    .changeCuda =
        "Replace cudaDeviceSynchronize and cudaStreamSynchronize in the loop by events that are waited for "
        "one step later.",
    .remedy = Remedy::WaitLess,
    .whatIf = "drop_syncs",
    .causes = {LostCause::Copies, LostCause::Staging, LostCause::ReadBack, LostCause::Sync},
    .copyCauses = {CopyCause::HostSync},
    .ask = &askSyncPerStep,
    .inLaunchingThread = true,
};

}  // namespace overlane
