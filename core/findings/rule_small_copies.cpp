#include <fmt/format.h>

#include "core/base/units.h"
#include "core/findings/rule.h"
#include "core/findings/rule_context.h"

namespace overlane
{
namespace
{

RuleAnswer askSmallCopies(const RuleContext& context)
{
    constexpr std::int64_t kManyPerStep = 8;
    constexpr std::int64_t kManyWithoutSteps = 32;
    const CopyCount& count = context.toDevice(RuleId::SmallCopies);
    const bool many =
        context.steps > 0 ? count.copies >= kManyPerStep * context.steps : count.copies >= kManyWithoutSteps;
    const double share = context.costOf(RuleId::SmallCopies).shareOfWall;
    if (count.copies == 0 || share < (many ? kWorthNaming : kProblemShare))
        return {};
    const std::string perStep =
        many && context.steps > 0
            ? fmt::format("{} of {} to the device in each step", formatCount(count.copies / context.steps),
                          formatCount(count.all / context.steps))
            : fmt::format("{} of {} to the device", formatCount(count.copies), formatCount(count.all));
    return context.rated(
        RuleId::SmallCopies,
        fmt::format("Copies of 64 KiB or less, {}, {} on average: each costs more to start than to send; {}.", perStep,
                    formatBytes(count.bytes / count.copies), context.costText(RuleId::SmallCopies)));
}

}  // namespace

extern const Rule kSmallCopiesRule{
    .rule = RuleId::SmallCopies,
    .id = "small-copies",
    .title = "Small copies",
    .sentence = "Copies so small that starting one costs more than sending it.",
    .lesson = "small_tensors",
    .helpPage = "findings-link",
    .changePyTorch =
        "Send one tensor instead of many: collate the small ones into one packed tensor (a collate_fn with "
        "torch.cat or torch.stack), copy that and split it on the GPU with views.",
    .changeCuda =
        "Pack them into one pinned buffer and copy once; the fixed cost of a copy, some microseconds, is "
        "then paid once.",
    .whatIf = "merge_small",
    .causes = {LostCause::Copies, LostCause::Staging},
    .copyCauses = {CopyCause::StagedInline, CopyCause::PageableMemory},
    .ask = &askSmallCopies,
};

}  // namespace overlane
