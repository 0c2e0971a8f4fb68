#include <filesystem>
#include <fmt/format.h>

#include "core/analysis/kernel_record.h"
#include "core/cli/cli.h"
#include "core/cli/command.h"
#include "core/cli/findings_text.h"
#include "core/cli/info_text.h"
#include "core/cli/long_task.h"
#include "core/findings/findings.h"
#include "core/io/format.h"

namespace overlane
{
namespace
{

class InfoCommand : public Command
{
public:
    std::string_view name() const override { return "info"; }
    std::string_view description() const override
    {
        return "Tell what a trace holds and how much of its copies hides behind kernels.";
    }
    std::string help() const override
    {
        std::string text = "Formats, recognised by their content, plain or gzip where they are text:\n";
        for (const TraceFormat* format : allFormats())
            text += fmt::format("  {:<10}{}\n", format->name(), format->description());
        return text + R"(
The report opens with the verdict: how many copies to the device hid behind kernels, what that
costs, the main cause, and what to change. Behind it stand the findings, from the first to the
last step: each with its cost, which no other finding counts again, and the change to make; the
name in brackets is its section in the help and its name for `overlane check`. Times are unions
per device and, like the verdict, of the steps without start-up: two kernels at once count once.
Memsets and the profiler's own annotations are not kernels.

With --json, `events` counts events on tracks, `source_events` what the file holds, `skipped` what
is not on a track, by reason; `verdict` and `findings` hold what the text says, in nanoseconds,
`devices` the same figures of the whole trace, `findings.not_checked` what the trace cannot tell,
and why.

Examples:
  overlane info trace.json.gz
  overlane info --json profile.sqlite | jq .verdict.cause

)" + std::string(kExitCodesHelp);
    }

    CommandAction declare(CLI::App& app) const override
    {
        struct Options {
            std::string file;
            bool json = false;
        };
        auto options = std::make_shared<Options>();
        app.add_option("FILE", options->file, "The trace to read")->required();
        app.add_flag("--json", options->json, "Print JSON with stable keys instead of text");
        return [options](CommandOutput to) { return print(options->file, options->json, to); };
    }

private:
    static int print(const std::string& file, bool json, CommandOutput to)
    {
        const auto drawing = json ? LongTask::Drawing::Never : LongTask::Drawing::OnTerminal;
        const Result<Trace> read = readWithProgress(file, drawing);
        if (!read.ok())
            return fail(read.error(), to);
        const Trace& trace = read.value();
        LongTask judging("Judging", drawing);
        const Analysis analysis(trace);
        const StepSequence steps = detectSteps(trace);
        const Verdict judged = verdictOfTrace(analysis, steps.steps);
        const Summary summary = analysis.summarise(judged.range);
        const Verdict found = withinRecord(judged, trace, summary, judged.range);
        const FindingList list = findings(trace, analysis, steps.steps, judged.range);
        if (judging.cancelled())
            return fail(Progress::kCancelled, to);
        if (json) {
            OrderedJson all = traceJson(trace, analysis.summarise(), found, steps);
            all["findings"] = findingsJson(list);
            to.out << toText(all);
        } else {
            to.out << traceText(trace, summary, found, steps, list, std::filesystem::path(file).filename().string());
        }
        return exitCodeOf(trace, file, to);
    }
};

}  // namespace

const Command& infoCommand()
{
    static const InfoCommand command;
    return command;
}

}  // namespace overlane
