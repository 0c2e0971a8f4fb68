#include <fmt/format.h>
#include <memory>

#include "core/base/units.h"
#include "core/base/work_meter.h"
#include "core/cli/cli.h"
#include "core/cli/command.h"
#include "core/cli/convert_answer.h"
#include "core/cli/convert_target.h"
#include "core/cli/info_text.h"
#include "core/cli/judge_file.h"
#include "core/cli/long_task.h"

namespace overlane
{
namespace
{

std::string checkSteps(const std::string& text)
{
    return parsedStepNumbers(text) ? std::string() : fmt::format("write --steps 10-40 or --steps 12, not {}.", text);
}

struct ConvertOptions {
    std::string in;
    std::string out;
    std::string steps;
    std::string table;
    std::string iteration;
    bool json = false;
};

void tell(const ConvertOptions& options, const Trace& trace, ConvertTarget target, CommandOutput to)
{
    if (options.json) {
        to.out << toText(convertJson(options.in, options.out, trace));
        return;
    }
    const std::string content =
        target == ConvertTarget::Csv
            ? fmt::format("table {}", options.table)
            : fmt::format("{} events", formatCount(static_cast<std::int64_t>(trace.eventCount())));
    to.out << fmt::format("{}: {} of a {} trace written to {}.\n", options.in, content, trace.metadata().format,
                          options.out);
    if (const std::string leftOut = leftOutText(options.out, target); !leftOut.empty())
        to.out << leftOut << "\n";
    to.out << skippedText(trace);
}

int convert(const ConvertOptions& options, CommandOutput to)
{
    const Result<ConvertTarget> target = convertTarget(options.out, options.table);
    if (!target.ok())
        return fail(target.failure(), to, kExitUsage);
    const auto drawing = options.json ? LongTask::Drawing::Never : LongTask::Drawing::OnTerminal;
    Result<Trace> read = readWithProgress(options.in, drawing);
    if (!read.ok())
        return fail(read.failure(), to);
    const auto whole = std::make_shared<const Trace>(std::move(read).value());
    std::shared_ptr<const Trace> trace = whole;
    if (!options.steps.empty()) {
        Result<Trace> cut = cutToSteps(*whole, *parsedStepNumbers(options.steps), options.in);
        if (!cut.ok())
            return fail(cut.failure(), to);
        trace = std::make_shared<const Trace>(std::move(cut).value());
    }
    {
        LongTask writing("Writing", drawing, LongTask::Cancelling::MustAnswer);
        std::shared_ptr<const JudgedTrace> judged;
        const Judge judge = [&]() -> Result<std::shared_ptr<const JudgedTrace>> {
            if (!judged) {
                auto made = attempt("judge the trace", &writing.progress(), [&](const WorkMeter& work) {
                    return JudgedTrace::make(trace, options.in, {.iteration = options.iteration}, work);
                });
                if (!made.ok())
                    return made.failure().in(options.in);
                judged = std::move(made).value();
            }
            return judged;
        };
        const ConvertRequest request{options.in, options.out, options.table, options.iteration};
        const Result<void> written = writeConverted(trace, request, target.value(), judge, writing.progress(), &to.out);
        if (!written.ok())
            return fail(written.failure(), to);
    }
    if (options.out != "-")
        tell(options, *trace, target.value(), to);
    return exitCodeOf(*whole, options.in, to);
}

std::string convertHelp()
{
    return "The extension of OUT chooses what is written; .overlane where it has none:\n" + convertTargetsHelp() +
           R"(
OUT is replaced as a whole once the new file is complete; where that fails or is cancelled with
Ctrl+C, an older OUT stays as it was. A read-only OUT is never replaced. JSON is for Perfetto and
the tools around PyTorch's profiler; Overlane reads it back with the same verdict.

--steps keeps what happens from the start of one step to the end of another, on all tracks: a small
file to send, or a trace without the program's start. Events that reach beyond are cut there.

Examples:
  overlane convert trace.json.gz trace.overlane     opens in a fraction of the time
  overlane convert report.sqlite report.overlane    an export of Nsight Systems
  overlane convert train.overlane train.json.gz     for ui.perfetto.dev
  overlane convert train.overlane tables.sqlite     for sqlite3 and DuckDB
  overlane convert --table copies train.overlane -  a table as CSV
  overlane convert --steps 10-40 train.overlane part.overlane

)" + std::string(kExitCodesHelp);
}

CommandAction declareConvert(OptionList& list)
{
    auto options = std::make_shared<ConvertOptions>();
    list.add("IN", options->in, "The trace to read").required();
    list.add("OUT", options->out, "The file to write; - for a table on standard output").required();
    list.add("--table", options->table, "Write one table of the trace (.csv, .sqlite)").type("NAME");
    list.add("--steps", options->steps, "Write a part only: from the start of step A to the end of step B")
        .check(checkSteps, "A-B");
    addIterationOption(list, options->iteration);
    list.flag("--json", options->json, "Print JSON with stable keys instead of text");
    return [options](CommandOutput to) { return convert(*options, to); };
}

}  // namespace

constinit const Command convertCommand = {"convert", "Read a trace of any format and write it in another.", convertHelp,
                                          declareConvert};

}  // namespace overlane
