#include <fmt/format.h>
#include <memory>
#include <utility>

#include "core/cli/command.h"
#include "core/cli/easiest_line.h"
#include "core/cli/info_answer.h"
#include "core/cli/info_text.h"
#include "core/cli/judge_file.h"
#include "core/cli/long_task.h"
#include "core/cli/roles_text.h"
#include "core/io/format.h"

namespace overlane
{
namespace
{

int print(const std::string& file, const std::string& iteration, bool json, CommandOutput to)
{
    const auto drawing = json ? LongTask::Drawing::Never : LongTask::Drawing::OnTerminal;
    Result<std::unique_ptr<const JudgedTrace>> read = judgeFile(file, drawing, {iteration});
    if (!read.ok())
        return fail(read.failure(), to);
    const std::shared_ptr<const JudgedTrace> judged = std::move(read).value();
    const JudgedTrace& found = *judged;
    LongTask looking("Seeking loops", drawing);
    const Result<InfoAnswer> answer =
        attempt("look for the loops of the trace", &looking.progress(),
                [&](const WorkMeter& work) { return infoAnswer(found, iteration, work); });
    if (!answer.ok())
        return fail(answer.failure(), to);
    if (json) {
        to.out << toText(infoJson(found, answer.value()));
        return exitCodeOf(found.trace, file, to);
    }
    const Result<std::string> easiest = easiestLine(judged, looking.progress());
    if (!easiest.ok())
        return fail(easiest.failure(), to);
    to.out << traceText(found, easiest.value()) << rolesText(answer.value().roles, answer.value().iterations)
           << levelsText(answer.value().levels);
    return exitCodeOf(found.trace, file, to);
}

std::string infoHelp()
{
    std::string text = "Formats, recognized by their content, plain or gzip where they are text:\n";
    for (const TraceFormat* format : allFormats())
        text += fmt::format("  {:<10}{}\n", format->name(), format->description());
    return text + R"(
The report opens with the verdict: how many copies to the device hid behind kernels, what that
costs, the main cause, and what to change. The easiest change that `overlane whatif` predicts to win
a tenth stands behind it, for traces of up to 300,000 events. The findings follow, from the first to
the last step: each with its cost, which no other finding counts again, and, but for hints, the
change to make; the name in brackets is its section in the help and its name for `overlane check`.
Times are unions per device and, like the verdict, of the steps
without startup: two kernels at once count once. Memsets and the profiler's own annotations are not
kernels. One table says where each GPU's time goes, by the causes that verdict and findings name,
another what the copies carry (batches, parameters, activations, results), as far as the order of
the records shows it.

A step is an iteration of the program's own outer loop: what the trace marks (profiler steps,
batches of a loader, ranges named `step 3`, `train_batch`, `execute_model`), else the outermost
loop that its requests to the GPU show. Several loops are listed; --iteration takes another.

With --json, `events` counts events on tracks, `source_events` what the file holds, `skipped` what
is not on a track, by reason; `verdict` and `findings` hold what the text says, in nanoseconds,
`devices` the same figures of the whole trace, `roles` what the copies of the verdict's range carry,
`program` the framework that ran, `findings.not_checked` what the trace cannot tell, and why. Where
stacks were recorded, losses and findings of a thread that was late have `places`: file, line and
function of the program, the `share` of that time spent there and in `ns`, `line_share` of that line
alone, and `callee`, what it called there for longest, with its share.

Examples:
  overlane info trace.json.gz
  overlane info --iteration 384 generate.overlane     the tokens, not the calls
  overlane info --json profile.sqlite | jq .verdict.cause

)" + std::string(kExitCodesHelp);
}

CommandAction declareInfo(OptionList& list)
{
    struct InfoOptions {
        std::string file;
        std::string iteration;
        bool json = false;
    };
    auto options = std::make_shared<InfoOptions>();
    list.add("FILE", options->file, "The trace to read").required();
    addIterationOption(list, options->iteration);
    list.flag("--json", options->json, "Print JSON with stable keys instead of text");
    return [options](CommandOutput to) { return print(options->file, options->iteration, options->json, to); };
}

}  // namespace

constinit const Command infoCommand = {
    "info", "Tell what a trace holds and how much of its copies hides behind kernels.", infoHelp, declareInfo};

}  // namespace overlane
