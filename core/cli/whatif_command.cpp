#include <fmt/format.h>

#include "core/cli/cli.h"
#include "core/cli/command.h"
#include "core/cli/info_text.h"
#include "core/cli/judge_file.h"
#include "core/cli/long_task.h"
#include "core/cli/whatif_answer.h"
#include "core/content/terminal.h"
#include "core/io/format.h"
#include "core/replay/prediction_blocks.h"
#include "core/replay/replay.h"

namespace overlane
{
namespace
{

struct WhatIfOptions {
    std::string file;
    WhatIfQuestion question;
    bool json = false;
};

void print(const WhatIfAnswer& answer, const WhatIfOptions& options, CommandOutput to)
{
    if (options.json) {
        to.out << toText(whatIfJson(answer));
        return;
    }
    to.out << terminalText(replayBlocks(answer.report)) << "\n";
    to.out << terminalText(answer.isSuggestion ? suggestionBlocks(answer.predictions, answer.report)
                                               : predictionBlocks(answer.predictions.front()));
    if (!options.question.out.empty())
        to.out << fmt::format("The predicted timeline is in {}.\n", options.question.out);
}

int predict(const WhatIfOptions& options, CommandOutput to)
{
    const Result<WhatIfPlan> plan = planned(options.question);
    if (!plan.ok())
        return fail(plan.failure(), to, kExitUsage);
    const auto drawing = options.json ? LongTask::Drawing::Never : LongTask::Drawing::OnTerminal;
    Result<std::unique_ptr<const JudgedTrace>> read = judgeFile(options.file, drawing, plan.value().request);
    if (!read.ok())
        return fail(read.failure(), to);
    const std::shared_ptr<const JudgedTrace> judged = std::move(read).value();
    const Result<WhatIfAnswer> answer = [&] {
        LongTask replaying("Replaying", drawing);
        return whatIfAnswer(judged, plan.value(), &replaying.progress());
    }();
    if (!answer.ok())
        return fail(answer.failure().in(options.file), to);
    if (!options.question.out.empty()) {
        LongTask writing("Writing", drawing, LongTask::Cancelling::MustAnswer);
        const Result<void> written =
            writeTrace(*answer.value().predictions.front().trace, options.question.out, writing.progress());
        if (!written.ok())
            return fail(written.failure(), to);
    }
    print(answer.value(), options, to);
    return exitCodeOf(judged->trace, options.file, to);
}

std::string whatIfHelp()
{
    std::string text = "Changes, in any combination:\n";
    for (const ChangeForm& change : allChangeForms())
        text += fmt::format("  {:<20} {}\n", change.form, change.words);
    return text + R"(
Without --change: what each change alone, and the usual three together, would bring.

The program behind the trace is rebuilt from its records: calls and the host time between them, GPU
work, what waits for what, and the loader's batches. First it is replayed as it is; how far that is
from the measured steps is the replay error. Beyond 2 % it is said that the trace does not hold
everything. A prediction comes with a range and with what makes it as wide as it is. It is called
faster or slower only where the difference is more than two runs of such a program differ by.

A trace without iterations is replayed over its range as a whole.

The average step is that of `overlane info`. Replayed are fewer steps, without those that use batches
made before and without the last, which no later one ends; where these take another time, it is said.
--iteration takes the steps from another of the loops that info lists.

With --json: step_ns_measured (of the replayed steps; replay.step_ns_average is that of info),
step_ns_replayed, step_ns_predicted, range_ns, direction, noise (what two runs differ by, as a share
of the step), bottleneck, busy_ns and pinned_bytes for each prediction, in nanoseconds and bytes.

Examples:
  overlane whatif train.overlane
  overlane whatif train.overlane --change pin --change non_blocking --change side_stream=2
  overlane whatif trace.json.gz --change device=a100_pcie4 --steps 10-40 --json
  overlane whatif train.overlane --change pin -o predicted.overlane

)" + std::string(kExitCodesHelp);
}

CommandAction declareWhatIf(OptionList& list)
{
    auto options = std::make_shared<WhatIfOptions>();
    list.add("FILE", options->file, "The trace to read").required();
    list.add("--change", options->question.changes, "A change to try; may be given more than once")
        .one()
        .type("CHANGE");
    addIterationOption(list, options->question.iteration);
    list.add("--steps", options->question.steps, "Judge these steps only, counted from 0: FIRST-LAST");
    list.add("--device", options->question.device, "The profile of the machine that the trace comes from");
    list.add("-o,--output", options->question.out, "Write the predicted timeline as a trace");
    list.flag("--json", options->json, "Print JSON with stable keys instead of text");
    return [options](CommandOutput to) { return predict(*options, to); };
}

}  // namespace

constinit const Command whatIfCommand = {
    "whatif", "Predict what a step would take with changes, by replaying the trace.", whatIfHelp, declareWhatIf};

}  // namespace overlane
