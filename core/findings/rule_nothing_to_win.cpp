#include <algorithm>
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
    constexpr double kFull = 0.95;
    double least = 1;
    std::int64_t kernels = 0;
    for (const DeviceSummary& device : context.summary.devices) {
        const std::int64_t wallNs = device.wallNs - device.lostNs[static_cast<std::size_t>(LostCause::Ends)];
        least =
            std::min(least, wallNs > 0 ? static_cast<double>(device.kernelBusyNs) / static_cast<double>(wallNs) : 0);
        kernels += device.kernels;
    }
    if (kernels == 0 || least < kFull || context.mostShare >= kProblemShare)
        return {};
    RuleAnswer answer;
    answer.holds = true;
    answer.severity = FindingSeverity::Good;
    answer.sentence = fmt::format(
        "Kernels fill {} of the time, so better loading and copying could win {} at most; only faster or fewer kernels "
        "would win more.",
        formatShare(least), formatShare(1 - least));
    return answer;
}

}  // namespace

const Rule kNothingToWinRule{
    RuleId::NothingToWin, "nothing-to-win", "Compute-bound: nothing to win from copies or loading", "", "", &ask, true,
};

}  // namespace overlane
