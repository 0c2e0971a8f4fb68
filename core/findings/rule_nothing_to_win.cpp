#include <fmt/format.h>
#include <string>

#include "core/base/units.h"
#include "core/findings/rule_context.h"
#include "core/findings/rules.h"

namespace overlane
{
namespace
{

RuleAnswer ask(const RuleContext& context)
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
        verdict.warmUpNs > 0 ? fmt::format(" after {} of warm-up", formatDuration(verdict.warmUpNs)) : std::string(),
        verdict.filledShare < 1
            ? fmt::format("better loading and copying could win {} at most, and ", formatShare(1 - verdict.filledShare))
            : std::string());
    return answer;
}

}  // namespace

const Rule kNothingToWinRule{
    RuleId::NothingToWin, "nothing-to-win", "Compute-bound: nothing to win from copies or loading", "", "", &ask, true,
};

}  // namespace overlane
