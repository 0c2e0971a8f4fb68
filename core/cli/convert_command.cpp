#include <fmt/format.h>
#include <optional>

#include "core/base/units.h"
#include "core/cli/cli.h"
#include "core/cli/command.h"
#include "core/cli/convert_answer.h"
#include "core/cli/info_text.h"
#include "core/cli/judge_file.h"
#include "core/cli/long_task.h"
#include "core/io/format.h"

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
    bool json = false;
};

int convert(const ConvertOptions& options, CommandOutput to)
{
    const auto drawing = options.json ? LongTask::Drawing::Never : LongTask::Drawing::OnTerminal;
    const Result<Trace> read = readWithProgress(options.in, drawing);
    if (!read.ok())
        return fail(read.failure(), to);
    std::optional<Trace> part;
    if (!options.steps.empty()) {
        Result<Trace> cut = cutToSteps(read.value(), *parsedStepNumbers(options.steps), options.in);
        if (!cut.ok())
            return fail(cut.failure(), to);
        part = std::move(cut).value();
    }
    const Trace& trace = part ? *part : read.value();
    {
        LongTask writing("Writing", drawing, LongTask::Cancelling::MustAnswer);
        const Result<void> written = writeTrace(trace, options.out, writing.progress());
        if (!written.ok())
            return fail(written.failure(), to);
    }
    if (options.json) {
        to.out << toText(convertJson(options.in, options.out, trace));
    } else {
        to.out << fmt::format("{}: {} events of a {} trace written to {}.\n", options.in,
                              formatCount(static_cast<std::int64_t>(trace.eventCount())), trace.metadata().format,
                              options.out);
        to.out << skippedText(trace);
    }
    return exitCodeOf(read.value(), options.in, to);
}

std::string convertHelp()
{
    std::string text = "The extension of OUT chooses the format; .overlane where it has none. Written:\n";
    for (const TraceFormat* format : allFormats())
        if (format->canWrite())
            text += "  " + std::string(format->extensions().front()) + ": " + std::string(format->description()) + "\n";
    return text + R"(
OUT is replaced as a whole once the new file is complete; where that fails or is cancelled with
Ctrl+C, an older OUT stays as it was.

--steps keeps what happens from the start of one step to the end of another, on all tracks: a small
file to send, or a trace without the program's start. Events that reach beyond are cut there.

Examples:
  overlane convert trace.json.gz trace.overlane     opens in a fraction of the time
  overlane convert report.sqlite report.overlane    an export of Nsight Systems
  overlane convert --steps 10-40 train.overlane part.overlane

)" + std::string(kExitCodesHelp);
}

CommandAction declareConvert(OptionList& list)
{
    auto options = std::make_shared<ConvertOptions>();
    list.add("IN", options->in, "The trace to read").required();
    list.add("OUT", options->out, "The file to write").required();
    list.add("--steps", options->steps, "Write a part only: from the start of step A to the end of step B")
        .check(checkSteps, "A-B");
    list.flag("--json", options->json, "Print JSON with stable keys instead of text");
    return [options](CommandOutput to) { return convert(*options, to); };
}

}  // namespace

constinit const Command convertCommand = {"convert", "Read a trace of any format and write it in another.", convertHelp,
                                          declareConvert};

}  // namespace overlane
