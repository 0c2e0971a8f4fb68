#include <fmt/format.h>

#include "core/base/units.h"
#include "core/findings/rule.h"
#include "core/findings/rule_context.h"

namespace overlane
{
namespace
{

RuleAnswer askDependencyStall(const RuleContext& context)
{
    if (!context.hasHostCalls())
        return cannotTell("The trace holds no host calls, so when work was issued is not known.");
    // Every kernel behind another one starts some microseconds late: little of it is nothing to change.
    if (context.costOf(RuleId::DependencyStall).shareOfWall < kProblemShare &&
        !context.isHeadline(RuleId::DependencyStall))
        return {};
    const std::int64_t stalls = context.pieceCount(RuleId::DependencyStall);
    return context.rated(
        RuleId::DependencyStall,
        fmt::format("{} {} issued work waits for an event, its stream or the device while no kernel runs; {}.",
                    formatCount(stalls), stalls == 1 ? "time" : "times", context.costText(RuleId::DependencyStall)));
}

}  // namespace

extern const Rule kDependencyStallRule{
    .rule = RuleId::DependencyStall,
    .id = "dependency-stall",
    .title = "Issued work waits on the device",
    .sentence = "Work was issued in time and waits for an event, its stream or the device.",
    .lesson = "two_copies",
    .helpPage = "findings-gpu",
    .changePyTorch =
        "Look at what the work behind each gap waits for: wait_stream and wait_event only where data is shared, and "
        "independent work on streams of its own.",
    .changeCuda =
        "Drop cudaStreamWaitEvent where no data is shared, record events right behind the work that is needed, and put "
        "independent work on streams of its own.",
    .causes = {LostCause::Dependency},
    .ask = &askDependencyStall,
};

}  // namespace overlane
