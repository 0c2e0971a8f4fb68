#include "core/report/baseline_check.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/base/units.h"

namespace overlane
{
namespace
{

RuleLimit limitOf(std::string_view name, const Baseline& baseline)
{
    RuleLimit limit;
    limit.name = name;
    limit.text = fmt::format("{} against {}", name, baseline.name);
    return limit;
}

CheckResult slower(const Baseline& baseline, const Comparison& comparison)
{
    CheckResult result;
    result.limit = limitOf("slower", baseline);
    result.sentence = comparison.sentence;
    const Speed& speed = comparison.speed;
    result.costNs = std::max<std::int64_t>(speed.bNs - speed.aNs, 0);
    result.share = speed.aNs > 0 ? static_cast<double>(result.costNs) / static_cast<double>(speed.aNs) : 0.0;
    const bool tooFew = speed.by != ClaimBy::Means && comparison.stepTime.claim == Claim::TooFew;
    if (!comparison.perStep || speed.by == ClaimBy::Nothing || tooFew || comparison.uneven)
        result.outcome = CheckOutcome::NotChecked;
    else if (speed.pace == Pace::Slower && result.share > baseline.tolerance)
        result.outcome = CheckOutcome::Fired;
    return result;
}

bool isWorse(const FindingChange& change, std::int64_t stepNs)
{
    if (change.fate != FindingFate::New || change.b == nullptr)
        return false;
    if (change.b->severity == FindingSeverity::Hazard)
        return true;
    return change.b->severity == FindingSeverity::Problem &&
           static_cast<double>(change.bNs) >= kNewProblemShare * static_cast<double>(stepNs);
}

}  // namespace

std::vector<CheckResult> checkAgainst(const Baseline& baseline, const Comparison& comparison,
                                      std::span<const FindingChange> changes, const FindingList& findings)
{
    std::vector<CheckResult> results{slower(baseline, comparison)};
    for (const FindingChange& change : changes) {
        if (!isWorse(change, comparison.wallBNs))
            continue;
        CheckResult result;
        result.limit = limitOf("new-problem", baseline);
        result.outcome = CheckOutcome::Fired;
        result.finding = findings.find(change.b->rule);
        result.costNs = change.bNs;
        result.share =
            comparison.wallBNs > 0 ? static_cast<double>(change.bNs) / static_cast<double>(comparison.wallBNs) : 0.0;
        result.sentence = fmt::format("{}: {}", change.b->title, change.b->sentence);
        results.push_back(std::move(result));
    }
    if (results.size() == 1) {
        CheckResult result;
        result.limit = limitOf("new-problem", baseline);
        result.sentence = fmt::format("No hazard that {} has not, and no new problem of {} of the step.", baseline.name,
                                      formatShare(kNewProblemShare));
        results.push_back(std::move(result));
    }
    return results;
}

}  // namespace overlane
