#include "core/cli/check_answer.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "core/base/text_file.h"
#include "core/cli/cli.h"
#include "core/cli/judge_file.h"
#include "core/cli/nearest_name.h"
#include "core/compare/comparison.h"
#include "core/report/baseline_check.h"

namespace overlane
{
namespace
{

// What a check without a rule asks: what may be wrong, and what costs a tenth of the time.
constexpr std::array<std::string_view, 2> kDefaultLimits{"hazard", "problem:10%"};

}  // namespace

Result<std::vector<RuleLimit>> limitsOf(const CheckQuestion& question)
{
    std::vector<RuleLimit> limits;
    for (const std::string& text : question.failOn) {
        Result<RuleLimit> limit = parseRuleLimit(text);
        if (!limit.ok())
            return limit.failure().in("--fail-on");
        limits.push_back(std::move(limit).value());
    }
    if (!question.rules.empty()) {
        ASSIGN_OR_RETURN(const std::string text, readTextFile(question.rules));
        Result<std::vector<RuleLimit>> read = parseRuleLimits(text);
        if (!read.ok())
            return Error{fmt::format("{}, {}", question.rules, read.error()), read.failure().kind};
        for (RuleLimit& limit : read.value())
            limits.push_back(std::move(limit));
    }
    const std::vector<std::string_view> names = limitNames();
    for (const RuleLimit& limit : limits)
        if (std::find(names.begin(), names.end(), limit.name) == names.end())
            return Error{unknownName("rule", limit.name, names)};
    if (question.failOn.empty() && question.rules.empty() && question.against.empty())
        for (const std::string_view text : kDefaultLimits)
            limits.push_back(parseRuleLimit(text).value());
    if (limits.empty() && question.against.empty())
        return Error{fmt::format("{} names no rule; write one a line, or leave --rules out.", question.rules)};
    return limits;
}

FileCheck checkJudged(const JudgedTrace& judged, const std::string& file, const CheckQuestion& question,
                      std::span<const RuleLimit> limits)
{
    FileCheck checked;
    checked.file = file;
    const Judgement& judgement = judged.judgement;
    checked.findings = judgement.findings;
    checked.stepNs = judgement.stepNs;
    checked.error = damageOf(judged.trace);
    checked.damaged = !checked.error.empty();
    const bool hasGpuWork = !judged.analysis.devices().empty();
    checked.results = checkTrace({&checked.findings, judgement.summary, judgement.stepNs, hasGpuWork}, limits);
    if ((!hasGpuWork || judgement.verdict.hardlyAnyWork) && !question.allowNoGpu)
        checked.withoutGpuWork = fmt::format("{} {}", judgement.verdict.sentence, judgement.verdict.advice);
    // Answers point into this object's own list, which a move keeps in place.
    return checked;
}

Result<void> addBaseline(FileCheck& checked, const JudgedTrace& judged, const JudgedTrace& baseline,
                         const CheckQuestion& question, const WorkMeter& work)
{
    ASSIGN_OR_RETURN(const Comparison compared, compare({&baseline.trace, &baseline.analysis, &baseline.steps},
                                                        {&judged.trace, &judged.analysis, &judged.steps}, {}, work));
    const std::vector<FindingChange> changes = findingChanges(baseline.judgement.findings, judged.judgement.findings);
    for (CheckResult& result :
         checkAgainst({question.against, question.tolerance}, compared, changes, checked.findings))
        checked.results.push_back(std::move(result));
    return {};
}

int checkExitCode(std::span<const FileCheck> files, bool strict)
{
    int code = kExitOk;
    for (const FileCheck& file : files) {
        if (file.unreadable() || file.count(CheckOutcome::Fired) > 0 ||
            (strict && file.count(CheckOutcome::NotChecked) > 0))
            return kExitFailed;
        if (file.damaged || !file.withoutGpuWork.empty())
            code = kExitDamaged;
    }
    return code;
}

}  // namespace overlane
