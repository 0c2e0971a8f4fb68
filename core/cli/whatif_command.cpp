#include <fmt/format.h>

#include "core/cli/cli.h"
#include "core/cli/command.h"
#include "core/cli/judge_file.h"
#include "core/cli/long_task.h"
#include "core/cli/whatif_json.h"
#include "core/content/terminal.h"
#include "core/devices/user_profiles.h"
#include "core/io/format.h"
#include "core/replay/prediction_blocks.h"
#include "core/replay/replay.h"
#include "core/system/memory_status.h"

namespace overlane
{
namespace
{

struct WhatIfOptions {
    std::string file;
    std::vector<std::string> changes;
    std::string iteration;
    std::string steps;
    std::string device;
    std::string out;
    bool json = false;
};

Result<ReplayOptions> replayOptions(const WhatIfOptions& options)
{
    ReplayOptions replay;
    replay.ramBytes = machineMemory().totalBytes;
    if (!options.steps.empty()) {
        const std::optional<StepNumbers> steps = parsedStepNumbers(options.steps);
        if (!steps)
            return Error{
                fmt::format("--steps {} is no range of steps; write --steps 10-40 or --steps 12.", options.steps)};
        replay.firstStep = steps->first;
        replay.lastStep = steps->last;
    }
    if (!options.device.empty()) {
        const Result<const DeviceProfile*> device = deviceProfileFrom(options.device);
        if (!device.ok())
            return device.failure();
        replay.device = device.value();
    }
    return replay;
}

Result<std::vector<Change>> parsedChanges(const WhatIfOptions& options)
{
    std::vector<Change> changes;
    for (const std::string& text : options.changes) {
        const Result<Change> change = parseChange(text);
        if (!change.ok())
            return change.failure();
        for (const Change& other : changes)
            if (other.kind == change.value().kind)
                return Error{fmt::format("{} is given twice; give each change once.", changeText(other))};
        changes.push_back(change.value());
    }
    if (changes.empty() && !options.out.empty())
        return Error{"-o needs a change to predict; add one with --change, such as --change pin."};
    return changes;
}

void print(const ReplayReport& report, const Prediction& unchanged, const std::vector<Prediction>& predictions,
           const WhatIfOptions& options, CommandOutput to)
{
    if (options.json) {
        OrderedJson json = predictionJson(options.changes.empty() ? unchanged : predictions.front());
        json["replay"] = replayJson(report);
        if (options.changes.empty()) {
            json["suggestions"] = OrderedJson::array();
            for (const Prediction& prediction : predictions)
                json["suggestions"].push_back(predictionJson(prediction));
        }
        to.out << json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) << "\n";
        return;
    }
    to.out << terminalText(replayBlocks(report)) << "\n";
    to.out << terminalText(options.changes.empty() ? suggestionBlocks(predictions, report)
                                                   : predictionBlocks(predictions.front()));
    if (!options.out.empty())
        to.out << fmt::format("The predicted timeline is in {}.\n", options.out);
}

int predict(const WhatIfOptions& options, CommandOutput to)
{
    const Result<std::vector<Change>> changes = parsedChanges(options);
    if (!changes.ok())
        return fail(changes.failure(), to, kExitUsage);
    Result<ReplayOptions> replayed = replayOptions(options);
    if (!replayed.ok())
        return fail(replayed.failure(), to, kExitUsage);
    const auto drawing = options.json ? LongTask::Drawing::Never : LongTask::Drawing::OnTerminal;
    TraceRequest request;
    request.iteration = options.iteration;
    request.steps = parsedStepNumbers(options.steps);
    request.depth = Depth::Verdict;
    Result<std::unique_ptr<const JudgedTrace>> read = judgeFile(options.file, drawing, request);
    if (!read.ok())
        return fail(read.failure(), to);
    const std::shared_ptr<const JudgedTrace> judged = std::move(read).value();
    const std::shared_ptr<const Trace> trace(judged, &judged->trace);
    replayed.value().averageStepNs = judged->judgement.stepNs;
    if (options.steps.empty())
        replayed.value().range = judged->judgement.range;
    std::vector<Prediction> predictions;
    Result<Replay> replay = [&]() -> Result<Replay> {
        LongTask replaying("Replaying", drawing);
        Result<Replay> built = Replay::build(trace, judged->analysis, replayed.value(), &replaying.progress());
        if (!built.ok() || !changes.value().empty())
            return built;
        ASSIGN_OR_RETURN(std::vector<Prediction> suggested, built.value().suggestions(&replaying.progress()));
        predictions = std::move(suggested);
        return built;
    }();
    if (!replay.ok())
        return fail(replay.failure().in(options.file), to);
    if (!changes.value().empty()) {
        Result<Prediction> predicted =
            replay.value().predict(changes.value(), options.out.empty() ? WithTrace::No : WithTrace::Yes);
        if (!predicted.ok())
            return fail(predicted.failure().in(options.file), to);
        predictions.push_back(std::move(predicted.value()));
    }
    if (!options.out.empty()) {
        LongTask writing("Writing", drawing, LongTask::Cancelling::MustAnswer);
        const Result<void> written = writeTrace(*predictions.front().trace, options.out, writing.progress());
        if (!written.ok())
            return fail(written.failure(), to);
    }
    const Result<Prediction> unchanged = replay.value().predict({});
    if (!unchanged.ok())
        return fail(unchanged.failure().in(options.file), to);
    print(replay.value().report(), unchanged.value(), predictions, options, to);
    return exitCodeOf(*trace, options.file, to);
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
    list.add("--change", options->changes, "A change to try; may be given more than once").one().type("CHANGE");
    addIterationOption(list, options->iteration);
    list.add("--steps", options->steps, "Judge these steps only, counted from 0: FIRST-LAST");
    list.add("--device", options->device, "The profile of the machine that the trace comes from");
    list.add("-o,--output", options->out, "Write the predicted timeline as a trace");
    list.flag("--json", options->json, "Print JSON with stable keys instead of text");
    return [options](CommandOutput to) { return predict(*options, to); };
}

}  // namespace

constinit const Command whatIfCommand = {
    "whatif", "Predict what a step would take with changes, by replaying the trace.", whatIfHelp, declareWhatIf};

}  // namespace overlane
