#include <algorithm>
#include <fmt/format.h>
#include <string>

#include "core/base/units.h"
#include "core/findings/rule_context.h"
#include "core/findings/rules.h"

namespace overlane
{
namespace
{

// A range of so many steps begins with warm-up; the rest is what counts.
constexpr std::int64_t kManySteps = 16;
constexpr double kFull = 0.95;

RuleAnswer ask(const RuleContext& context)
{
    Interval range = context.range;
    const bool afterWarmUp = context.steps >= kManySteps;
    if (afterWarmUp)
        range.startNs += range.lengthNs() / 4;
    double least = 1;
    std::int64_t kernels = 0;
    for (const DeviceSummary& device : context.analysis.summarise(range).devices) {
        const std::int64_t wallNs = device.wallNs - device.lostNs[static_cast<std::size_t>(LostCause::Ends)];
        const double filled = wallNs > 0 ? static_cast<double>(device.kernelBusyNs) / static_cast<double>(wallNs) : 0;
        least = std::min(least, filled);
        kernels += device.kernels;
    }
    if (kernels == 0 || least < kFull || context.mostShare >= kProblemShare)
        return {};
    RuleAnswer answer;
    answer.holds = true;
    answer.severity = FindingSeverity::Good;
    answer.sentence = fmt::format(
        "Kernels fill {} of the time{}: {}only faster or fewer kernels would win more.", formatShare(least),
        afterWarmUp ? " after the first quarter" : "",
        least < 1 ? fmt::format("better loading and copying could win {} at most, and ", formatShare(1 - least))
                  : std::string());
    return answer;
}

}  // namespace

const Rule kNothingToWinRule{
    RuleId::NothingToWin, "nothing-to-win", "Compute-bound: nothing to win from copies or loading", "", "", &ask, true,
};

}  // namespace overlane
