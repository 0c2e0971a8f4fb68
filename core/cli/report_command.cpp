#include <filesystem>
#include <fmt/format.h>
#include <memory>

#include "core/base/text_file.h"
#include "core/base/units.h"
#include "core/cli/cli.h"
#include "core/cli/command.h"
#include "core/cli/info_text.h"
#include "core/cli/judge_file.h"
#include "core/cli/report_page.h"

namespace overlane
{
namespace
{

// "train.pt.trace.json.gz" -> "train.pt.trace.html", in the current folder.
std::string pageBeside(const std::string& file)
{
    std::string name = std::filesystem::path(file).filename().string();
    for (const std::string_view extension : {".gz", ".json", ".sqlite", ".overlane"})
        if (name.size() > extension.size() && name.ends_with(extension))
            name.resize(name.size() - extension.size());
    return name + ".html";
}

struct ReportOptions {
    std::string file;
    std::string output;
    std::string against;
    std::string iteration;
    std::size_t top = 15;
    bool json = false;
};

int write(const ReportOptions& options, CommandOutput to)
{
    const std::string output = options.output.empty() ? pageBeside(options.file) : options.output;
    for (const std::string& input : {options.file, options.against})
        if (!input.empty() && sameFile(input, output))
            return fail(fmt::format("{} is the trace itself; give the page another name with -o.", output), to,
                        kExitUsage);
    const auto drawing = options.json ? LongTask::Drawing::Never : LongTask::Drawing::OnTerminal;
    const auto judged = judgeFile(options.file, drawing, {options.iteration});
    if (!judged.ok())
        return fail(judged.failure(), to);
    const JudgedTrace& trace = *judged.value();
    std::unique_ptr<const JudgedTrace> baseline;
    if (!options.against.empty()) {
        auto read = judgeFile(options.against, drawing, {options.iteration});
        if (!read.ok())
            return fail(read.failure(), to);
        baseline = std::move(read).value();
    }
    const Result<std::string> made = reportPage(trace, baseline.get(), options.top);
    if (!made.ok())
        return fail(made.failure(), to);
    const std::string& page = made.value();
    if (const Result<void> written = writeTextFile(output, page); !written.ok())
        return fail(written.failure(), to);
    if (options.json)
        to.out << toText({{"file", output}, {"bytes", page.size()}, {"verdict", verdictJson(trace.judgement.verdict)}});
    else
        to.out << fmt::format("{} written, {}\n", output, formatBytes(static_cast<std::int64_t>(page.size())));
    return exitCodeOf(trace.trace, options.file, to);
}

std::string reportHelp()
{
    return R"(
The page is a single file without scripts that works offline, prints on A4 and follows the reader's
light or dark setting. It shows the verdict, the timeline of the three steps most like the others,
where the GPU's time goes, every finding with its cost and the change to make, the steps, the copies
by cause and the kernels that take most time. --against compares with an older trace of the same
program. --iteration takes the steps of either from another of the loops that `overlane info` lists.
OUT is replaced as a whole once the page is complete.

Examples:
  overlane report trace.json.gz                        writes trace.html
  overlane report after.overlane --against before.overlane -o change.html

)" + std::string(kExitCodesHelp);
}

CommandAction declareReport(OptionList& list)
{
    auto options = std::make_shared<ReportOptions>();
    list.add("FILE", options->file, "The trace to report on").required();
    list.add("-o,--output", options->output, "The page to write; FILE's name with .html where left out");
    list.add("--against", options->against, "A trace of the same program to compare with");
    addIterationOption(list, options->iteration);
    list.add("--top", options->top, "Rows of the table of kernels").positive();
    list.flag("--json", options->json, "Print JSON with stable keys instead of text");
    return [options](CommandOutput to) { return write(*options, to); };
}

}  // namespace

constinit const Command reportCommand = {"report", "Write one page about a trace: verdict, picture, findings, tables.",
                                         reportHelp, declareReport};

}  // namespace overlane
