#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>

#include "core/base/text_file.h"
#include "core/cli/check_text.h"
#include "core/cli/cli.h"
#include "core/cli/command.h"
#include "core/cli/info_text.h"
#include "core/cli/judge_file.h"
#include "core/cli/nearest_name.h"
#include "core/findings/rule.h"
#include "core/report/junit.h"
#include "core/report/sarif.h"

namespace overlane
{
namespace
{

std::string checkStepNumbers(const std::string& text)
{
    return parsedStepNumbers(text) ? std::string() : fmt::format("write --steps 10-40 or --steps 12, not {}.", text);
}

// What a check without a rule asks: what may be wrong, and what costs a tenth of the time.
constexpr std::array<std::string_view, 2> kDefaultLimits{"hazard", "problem:10%"};

struct CheckOptions {
    std::vector<std::string> files;
    std::vector<std::string> failOn;
    std::string rules;
    std::string iteration;
    std::string steps;
    std::string sarif;
    std::string junit;
    bool strict = false;
    bool allowNoGpu = false;
    bool json = false;
};

Result<std::vector<RuleLimit>> limitsOf(const CheckOptions& options)
{
    std::vector<RuleLimit> limits;
    for (const std::string& text : options.failOn) {
        Result<RuleLimit> limit = parseRuleLimit(text);
        if (!limit.ok())
            return limit.failure().in("--fail-on");
        limits.push_back(std::move(limit).value());
    }
    if (!options.rules.empty()) {
        ASSIGN_OR_RETURN(const std::string text, readTextFile(options.rules));
        Result<std::vector<RuleLimit>> read = parseRuleLimits(text);
        if (!read.ok())
            return Error{fmt::format("{}, {}", options.rules, read.error()), read.failure().kind};
        for (RuleLimit& limit : read.value())
            limits.push_back(std::move(limit));
    }
    const std::vector<std::string_view> names = limitNames();
    for (const RuleLimit& limit : limits)
        if (std::find(names.begin(), names.end(), limit.name) == names.end())
            return Error{unknownName("rule", limit.name, names)};
    if (options.failOn.empty() && options.rules.empty())
        for (const std::string_view text : kDefaultLimits)
            limits.push_back(parseRuleLimit(text).value());
    if (limits.empty())
        return Error{fmt::format("{} names no rule; write one a line, or leave --rules out.", options.rules)};
    return limits;
}

FileCheck checkFile(const std::string& file, const CheckOptions& options, std::span<const RuleLimit> limits)
{
    FileCheck checked;
    checked.file = file;
    TraceRequest request;
    request.iteration = options.iteration;
    request.steps = parsedStepNumbers(options.steps);
    const auto judged =
        judgeFile(file, options.json ? LongTask::Drawing::Never : LongTask::Drawing::OnTerminal, request);
    if (!judged.ok()) {
        checked.error = judged.error();
        checked.cancelled = judged.isCancelled();
        return checked;
    }
    const Judgement& judgement = judged.value()->judgement;
    checked.findings = judgement.findings;
    checked.stepNs = judgement.stepNs;
    checked.error = damageOf(judged.value()->trace);
    checked.damaged = !checked.error.empty();
    const bool hasGpuWork = !judged.value()->analysis.devices().empty();
    checked.results = checkTrace({&checked.findings, judgement.summary, judgement.stepNs, hasGpuWork}, limits);
    if ((!hasGpuWork || judgement.verdict.hardlyAnyWork) && !options.allowNoGpu)
        checked.withoutGpuWork = fmt::format("{} {}", judgement.verdict.sentence, judgement.verdict.advice);
    // Answers point into this object's own list, which a move keeps in place.
    return checked;
}

int exitCode(std::span<const FileCheck> files, bool strict)
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

int check(const CheckOptions& options, CommandOutput to)
{
    const Result<std::vector<RuleLimit>> limits = limitsOf(options);
    if (!limits.ok())
        return fail(limits.failure(), to, kExitUsage);
    std::vector<FileCheck> files;
    files.reserve(options.files.size());
    for (const std::string& file : options.files) {
        files.push_back(checkFile(file, options, limits.value()));
        if (files.back().cancelled)
            return fail(Error::cancelled(), to);
        if (!files.back().error.empty())
            fail(files.back().error, to);
        if (!files.back().withoutGpuWork.empty())
            fail(fmt::format("{}: {}", file, files.back().withoutGpuWork), to);
    }
    const int code = exitCode(files, options.strict);
    if (options.json)
        to.out << toText(checkJson(files, code));
    else
        to.out << checkText(files);
    for (const auto& [path, text] : {std::pair(options.sarif, sarifText(files, OVERLANE_VERSION, code)),
                                     std::pair(options.junit, junitText(files))}) {
        if (path.empty())
            continue;
        if (const Result<void> written = writeTextFile(path, text); !written.ok())
            return fail(written.failure(), to);
    }
    return code;
}

std::string checkHelp()
{
    std::string text = "Rules, the findings of `overlane info`:\n";
    for (const Rule& rule : allRules())
        text += fmt::format("  {:<24}{}\n", rule.id, rule.title);
    text += "and instead of a rule:\n";
    for (const auto& [name, sentence] : limitGroups())
        text += fmt::format("  {:<24}{}\n", name, sentence);
    return text + R"(
Without a rule, --fail-on hazard --fail-on problem:10% is asked.

A rule alone fires wherever it holds. With a COST it fires from there on: 2ms (or us, s) per step,
40ms/run in the whole range, 5% of the time. A finding costs the GPU's idle or the host's blocked
time that it causes, whichever is larger. Where a trace has no steps, a time per step is compared
with the whole. A file given with --rules holds one RULE[:COST] a line; what follows a # is left out.

Judged is the same part of the trace as by `overlane info`: from the first to the last step, which
--iteration takes from another of the loops that info lists. Rules that a trace cannot tell are
reported and pass, unless --strict.

Exit codes: 0 no rule fired, 1 a rule fired or a file could not be read, 2 the command line is
wrong, 3 no rule fired but a file could be read in part only or has no GPU work or next to none
(unless --allow-no-gpu), 130 cancelled with Ctrl+C.

Examples:
  overlane check run.overlane
  overlane check run.overlane --fail-on hazard --fail-on pageable-async:2ms --fail-on problem:10%
  overlane check *.json.gz --fail-on step-time:15ms --junit results.xml
  overlane check trace.json.gz --rules overlane.rules --sarif overlane.sarif)";
}

CommandAction declareCheck(OptionList& list)
{
    auto options = std::make_shared<CheckOptions>();
    list.add("FILE", options->files, "The traces to check").required();
    list.add("--fail-on", options->failOn, "A rule, with the cost from which it fires; may be repeated")
        .type("RULE[:COST]")
        .one();
    list.add("--rules", options->rules, "A file with rules, one a line");
    addIterationOption(list, options->iteration);
    list.add("--steps", options->steps, "Judge these steps only, counted from 0").check(checkStepNumbers, "A-B");
    list.flag("--strict", options->strict, "Fail as well where the trace cannot tell");
    list.flag("--allow-no-gpu", options->allowNoGpu, "Let a trace without GPU work pass");
    list.flag("--json", options->json, "Print JSON with stable keys instead of text");
    list.add("--sarif", options->sarif, "Write a SARIF 2.1.0 log");
    list.add("--junit", options->junit, "Write JUnit XML");
    return [options](CommandOutput to) { return check(*options, to); };
}

}  // namespace

constinit const Command checkCommand = {"check", "Fail where a trace breaks a rule: for CI.", checkHelp, declareCheck};

}  // namespace overlane
