#include <fmt/format.h>

#include "core/base/units.h"
#include "core/cli/cli.h"
#include "core/cli/command.h"
#include "core/cli/info_text.h"
#include "core/cli/long_task.h"
#include "core/io/format.h"

namespace overlane
{
namespace
{

class ConvertCommand : public Command
{
public:
    std::string_view name() const override { return "convert"; }
    std::string_view description() const override { return "Read a trace of any format and write it in another."; }
    std::string help() const override
    {
        std::string text = "The extension of OUT chooses the format; .overlane where it has none. Written:\n";
        for (const TraceFormat* format : allFormats())
            if (format->canWrite())
                text +=
                    "  " + std::string(format->extensions().front()) + ": " + std::string(format->description()) + "\n";
        return text + R"(
OUT is replaced as a whole once the new file is complete; where that fails or is cancelled with
Ctrl+C, an older OUT stays as it was.

Examples:
  overlane convert trace.json.gz trace.overlane     opens in a fraction of the time
  overlane convert report.sqlite report.overlane    an export of Nsight Systems

)" + std::string(kExitCodesHelp);
    }

    CommandAction declare(CLI::App& app) const override
    {
        auto options = std::make_shared<Options>();
        app.add_option("IN", options->in, "The trace to read")->required();
        app.add_option("OUT", options->out, "The file to write")->required();
        app.add_flag("--json", options->json, "Print JSON with stable keys instead of text");
        return [options](CommandOutput to) { return convert(*options, to); };
    }

private:
    struct Options {
        std::string in;
        std::string out;
        bool json = false;
    };

    static int convert(const Options& options, CommandOutput to)
    {
        const auto drawing = options.json ? LongTask::Drawing::Never : LongTask::Drawing::OnTerminal;
        const Result<Trace> read = readWithProgress(options.in, drawing);
        if (!read.ok())
            return fail(read.error(), to);
        const Trace& trace = read.value();
        {
            LongTask writing("Writing", drawing, LongTask::Cancelling::MustAnswer);
            const Result<void> written = writeTrace(trace, options.out, writing.progress());
            if (!written.ok())
                return fail(written.error(), to);
        }
        if (options.json) {
            OrderedJson json{{"in", options.in}, {"out", options.out}};
            json["format"] = trace.metadata().format;
            json["events"] = trace.eventCount();
            json["source_events"] = trace.metadata().sourceEvents;
            json["skipped"] = skippedJson(trace);
            to.out << toText(json);
        } else {
            to.out << fmt::format("{}: {} events of a {} trace written to {}.\n", options.in,
                                  formatCount(static_cast<std::int64_t>(trace.eventCount())), trace.metadata().format,
                                  options.out);
            to.out << skippedText(trace);
        }
        return exitCodeOf(trace, options.in, to);
    }
};

}  // namespace

const Command& convertCommand()
{
    static const ConvertCommand command;
    return command;
}

}  // namespace overlane
