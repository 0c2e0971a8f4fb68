#include <fmt/format.h>
#include <memory>

#include "core/base/text_file.h"
#include "core/cli/check_answer.h"
#include "core/cli/check_text.h"
#include "core/cli/cli.h"
#include "core/cli/command.h"
#include "core/cli/info_text.h"
#include "core/cli/judge_file.h"
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

struct CheckOptions {
    std::vector<std::string> files;
    CheckQuestion question;
    double tolerated = 0;  // percent
    std::string sarif;
    std::string junit;
    bool json = false;
};

// `baseline`: nullptr without --against.
FileCheck checkFile(const std::string& file, const CheckOptions& options, std::span<const RuleLimit> limits,
                    const JudgedTrace* baseline)
{
    TraceRequest request;
    request.iteration = options.question.iteration;
    request.steps = parsedStepNumbers(options.question.steps);
    const auto judged =
        judgeFile(file, options.json ? LongTask::Drawing::Never : LongTask::Drawing::OnTerminal, request);
    FileCheck checked;
    if (judged.ok()) {
        checked = checkJudged(*judged.value(), file, options.question, limits);
        if (baseline == nullptr)
            return checked;
        const Result<void> compared = addBaseline(checked, *judged.value(), *baseline, options.question);
        if (!compared.ok())
            checked.error = compared.failure().in(file).message;
        return checked;
    }
    checked.file = file;
    checked.error = judged.error();
    checked.cancelled = judged.isCancelled();
    return checked;
}

int check(const CheckOptions& options, CommandOutput to)
{
    const Result<std::vector<RuleLimit>> limits = limitsOf(options.question);
    if (!limits.ok())
        return fail(limits.failure(), to, kExitUsage);
    std::unique_ptr<const JudgedTrace> baseline;
    if (!options.question.against.empty()) {
        auto judged =
            judgeFile(options.question.against, options.json ? LongTask::Drawing::Never : LongTask::Drawing::OnTerminal,
                      {options.question.iteration});
        if (!judged.ok())
            return fail(judged.failure(), to);
        baseline = std::move(judged).value();
    }
    std::vector<FileCheck> files;
    files.reserve(options.files.size());
    for (const std::string& file : options.files) {
        files.push_back(checkFile(file, options, limits.value(), baseline.get()));
        if (files.back().cancelled)
            return fail(Error::cancelled(), to);
        if (!files.back().error.empty())
            fail(files.back().error, to);
        if (!files.back().withoutGpuWork.empty())
            fail(fmt::format("{}: {}", file, files.back().withoutGpuWork), to);
    }
    const int code = checkExitCode(files, options.question.strict);
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

With --against OLD, an earlier trace of the same program, two rules more are asked, and without
--fail-on only these: `slower` fires where the steps are slower by what `overlane compare` claims
(unlikely by chance, large against the spread) and by more than --tolerate; `new-problem` fires on a
hazard that OLD has not, and on a problem that it has not from 5 % of the step on. With too few or
too uneven steps, `slower` cannot be told; --strict fails then.

Exit codes: 0 no rule fired, 1 a rule fired or a file could not be read, 2 the command line is
wrong, 3 no rule fired but a file could be read in part only or has no GPU work or next to none
(unless --allow-no-gpu), 130 cancelled with Ctrl+C.

Examples:
  overlane check run.overlane
  overlane check run.overlane --fail-on hazard --fail-on pageable-async:2ms --fail-on problem:10%
  overlane check *.json.gz --fail-on step-time:15ms --junit results.xml
  overlane check new.overlane --against main.overlane --tolerate 2
  overlane check trace.json.gz --rules overlane.rules --sarif overlane.sarif)";
}

CommandAction declareCheck(OptionList& list)
{
    auto options = std::make_shared<CheckOptions>();
    list.add("FILE", options->files, "The traces to check").required();
    list.add("--fail-on", options->question.failOn, "A rule, with the cost from which it fires; may be repeated")
        .type("RULE[:COST]")
        .one();
    list.add("--rules", options->question.rules, "A file with rules, one a line");
    addIterationOption(list, options->question.iteration);
    list.add("--steps", options->question.steps, "Judge these steps only, counted from 0")
        .check(checkStepNumbers, "A-B");
    list.add("--against", options->question.against, "An earlier trace of the same program, to be no slower than")
        .type("OLD");
    list.add("--tolerate", options->tolerated, "With --against: percent by which it may be slower").within(0.0, 1000.0);
    list.flag("--strict", options->question.strict, "Fail as well where the trace cannot tell");
    list.flag("--allow-no-gpu", options->question.allowNoGpu, "Let a trace without GPU work pass");
    list.flag("--json", options->json, "Print JSON with stable keys instead of text");
    list.add("--sarif", options->sarif, "Write a SARIF 2.1.0 log");
    list.add("--junit", options->junit, "Write JUnit XML");
    return [options](CommandOutput to) {
        constexpr double kPercent = 100;
        options->question.tolerance = options->tolerated / kPercent;
        return check(*options, to);
    };
}

}  // namespace

constinit const Command checkCommand = {"check", "Fail where a trace breaks a rule: for CI.", checkHelp, declareCheck};

}  // namespace overlane
