#include <fmt/format.h>
#include <string>

#include "core/base/units.h"
#include "core/findings/rule.h"
#include "core/findings/rule_context.h"

namespace overlane
{
namespace
{

RuleAnswer askNothingToWin(const RuleContext& context)
{
    const Verdict& verdict = context.verdict;
    if (!verdict.computeBound)
        return {};
    RuleAnswer answer;
    answer.holds = true;
    answer.severity = FindingSeverity::Good;
    answer.sentence = fmt::format(
        "Kernels fill {} of the time{}: {}only faster or fewer kernels would win more.",
        formatShare(verdict.filledShare),
        verdict.warmUpNs > 0
            ? fmt::format(", not counting {} idle early in the range", formatDuration(verdict.warmUpNs))
            : std::string(),
        verdict.filledShare < 1
            ? fmt::format("better loading and copying could win {} at most, and ", formatShare(1 - verdict.filledShare))
            : std::string());
    if (!verdict.losses.empty() &&
        verdict.losses.front().lostNs >= kProblemShare * static_cast<double>(context.range.lengthNs()))
        answer.title = "Compute-bound: little to win outside the kernels";
    return answer;
}

}  // namespace

extern const Rule kNothingToWinRule{
    .rule = RuleId::NothingToWin,
    .id = "nothing-to-win",
    .title = "Compute-bound: nothing to win from copies or loading",
    .sentence = "Kernels fill the time: better loading and copying would win next to nothing.",
    .lesson = "compute_bound",
    .helpPage = "findings-gpu",
    .ask = &askNothingToWin,
};

}  // namespace overlane
