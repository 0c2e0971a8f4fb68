#include <memory>

#include "core/cli/cli.h"
#include "core/cli/command.h"
#include "core/cli/compare_answer.h"
#include "core/cli/compare_text.h"
#include "core/cli/info_text.h"
#include "core/cli/judge_file.h"

namespace overlane
{
namespace
{

struct CompareOptions {
    std::string a;
    std::string b;
    std::string align;
    std::string iteration;
    std::size_t top = 10;
    bool json = false;
};

int print(const CompareOptions& options, CommandOutput to)
{
    const Result<AlignmentWish> wish = parsedAlignment(options.align);
    if (!wish.ok())
        return fail(wish.failure(), to, kExitUsage);
    const auto drawing = options.json ? LongTask::Drawing::Never : LongTask::Drawing::OnTerminal;
    const auto a = judgeFile(options.a, drawing, {options.iteration});
    if (!a.ok())
        return fail(a.failure(), to);
    const auto b = judgeFile(options.b, drawing, {options.iteration});
    if (!b.ok())
        return fail(b.failure(), to);
    const JudgedTrace& traceA = *a.value();
    const JudgedTrace& traceB = *b.value();
    const Result<CompareAnswer> answer = compareAnswer(traceA, traceB, options.a, options.b, wish.value());
    if (!answer.ok())
        return fail(answer.failure(), to);
    const auto& [compared, findings, names] = answer.value();
    if (options.json)
        to.out << toText(compareJson(compared, findings, names, options.top));
    else
        to.out << compareText(compared, findings, names, options.top);
    const int damageA = exitCodeOf(traceA.trace, options.a, to);
    const int damageB = exitCodeOf(traceB.trace, options.b, to);
    return damageA != kExitOk ? damageA : damageB;
}

std::string compareHelp()
{
    return R"(
Both traces are aligned at a step, those that warm up left out, and compared step by step; where a
trace has no steps, from the first to the last GPU work. --align step:K begins at the K-th step of
both, counted from 0; --align first-kernel aligns the first kernels. --iteration takes
the steps of both from another of the loops that `overlane info` lists.

A difference is claimed where a rank test over the steps finds it unlikely by chance (p < 0.05) and
it is large against the spread; with fewer than five steps on a side nothing is claimed. Tables of
many rows are corrected for that. Times by cause are means, so that they add up to the step.

Examples:
  overlane compare before.json.gz after.json.gz
  overlane compare a.overlane b.overlane --align step:10
  overlane compare a.overlane b.overlane --json | jq .step_time_ns.b.median

)" + std::string(kExitCodesHelp);
}

CommandAction declareCompare(OptionList& list)
{
    auto options = std::make_shared<CompareOptions>();
    list.add("A", options->a, "The trace before").required();
    list.add("B", options->b, "The trace after").required();
    list.add("--align", options->align, "Where they meet: step, step:K or first-kernel");
    addIterationOption(list, options->iteration);
    list.add("--top", options->top, "Rows of the tables of kernels and copies").notNegative();
    list.flag("--json", options->json, "Print JSON with stable keys instead of text");
    return [options](CommandOutput to) { return print(*options, to); };
}

}  // namespace

constinit const Command compareCommand = {
    "compare", "Show what changed from one trace to another, and what is significant.", compareHelp, declareCompare};

}  // namespace overlane
