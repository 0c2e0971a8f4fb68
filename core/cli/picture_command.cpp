#include <algorithm>
#include <cctype>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <optional>

#include "core/base/descriptor.h"
#include "core/base/temporary_folder.h"
#include "core/base/text_file.h"
#include "core/base/units.h"
#include "core/cli/cli.h"
#include "core/cli/command.h"
#include "core/cli/info_text.h"
#include "core/cli/judge_file.h"
#include "core/cli/picture_answer.h"
#include "core/cli/window_program.h"
#include "core/system/child_process.h"

namespace overlane
{
namespace
{

struct PictureOptions {
    std::string file;
    std::string output;
    std::string iteration;
    PictureQuestion question;
    bool json = false;
};

enum class PictureFormat : std::uint8_t { Svg, Pdf, Png };

std::optional<PictureFormat> pictureFormat(const std::string& output)
{
    std::string extension = std::filesystem::path(output).extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    if (extension == ".svg")
        return PictureFormat::Svg;
    if (extension == ".pdf")
        return PictureFormat::Pdf;
    if (extension == ".png")
        return PictureFormat::Png;
    return {};
}

// "train.pt.trace.json.gz" -> "train.pt.trace.svg", in the current folder.
std::string pictureBeside(const std::string& file)
{
    std::string name = std::filesystem::path(file).filename().string();
    for (const std::string_view extension : {".gz", ".json", ".sqlite", ".overlane"})
        if (name.size() > extension.size() && name.ends_with(extension))
            name.resize(name.size() - extension.size());
    return name + ".svg";
}

// PDF and PNG, which Qt draws from the SVG.
Result<void> drawWithWindow(const std::string& svg, const std::string& output)
{
    ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::make("picture"));
    const std::string drawing = folder.file("picture.svg");
    RETURN_IF_ERROR(writeTextFile(drawing, svg));
    const std::string said = folder.file("said");
    const Descriptor words(::open(said.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    ProgramStart start;
    start.command = {windowProgram(), "--draw", std::filesystem::absolute(output).string(), drawing};
    start.outputFile = words.get();
    auto window = ChildProcess::start(start);
    if (!window.ok())
        return Error{
            fmt::format("{} is drawn by the window, overlane-ui, which is not installed here; an .svg needs "
                        "nothing but this program.",
                        output)};
    const ProgramEnd end = window.value().wait();
    if (end.exitCode == 0 && end.signal == 0)
        return {};
    constexpr std::size_t kMostWords = 2000;
    std::string why = textOfFile(said, kMostWords);
    while (!why.empty() && why.back() == '\n')
        why.pop_back();
    if (const std::size_t line = why.rfind('\n'); line != std::string::npos)
        why.erase(0, line + 1);
    constexpr std::string_view kProgram = "overlane-ui: ";
    if (why.starts_with(kProgram))
        why.erase(0, kProgram.size());
    return Error{
        fmt::format("{} was not written. {}", output,
                    why.empty() ? "The window, overlane-ui, ended without a word; write an .svg instead." : why)};
}

Result<std::unique_ptr<const JudgedTrace>> judgedForPicture(const PictureOptions& options, LongTask::Drawing drawing)
{
    ASSIGN_OR_RETURN(Trace read, readWithProgress(options.file, drawing));
    TraceRequest request;
    request.iteration = options.iteration;
    request.steps = parsedStepNumbers(options.question.steps);
    request.depth = Depth::Verdict;
    const auto range = chosenRange(read, options.question);
    if (!range.ok())
        return range.failure().in(options.file);
    request.range = range.value();
    LongTask judging("Judging", drawing);
    return attempt("judge the trace", &judging.progress(),
                   [&](const WorkMeter& work) -> Result<std::unique_ptr<const JudgedTrace>> {
                       auto judged = JudgedTrace::make(
                           std::move(read), std::filesystem::path(options.file).filename().string(), request, work);
                       if (!judged.ok())
                           return judged.failure().in(options.file);
                       return judged;
                   });
}

int writePicture(const PictureOptions& options, CommandOutput to)
{
    if (const std::string wrong = checkPicture(options.question); !wrong.empty())
        return fail(wrong, to, kExitUsage);
    const std::string output = options.output.empty() ? pictureBeside(options.file) : options.output;
    const std::optional<PictureFormat> format = pictureFormat(output);
    if (!format)
        return fail(fmt::format("{} has no extension of a picture; name it .svg, .pdf or .png.", output), to,
                    kExitUsage);
    if (sameFile(options.file, output))
        return fail(fmt::format("{} is the trace itself; give the picture another name with -o.", output), to,
                    kExitUsage);
    const auto drawing = options.json ? LongTask::Drawing::Never : LongTask::Drawing::OnTerminal;
    const auto judged = judgedForPicture(options, drawing);
    if (!judged.ok())
        return fail(judged.failure(), to);
    const Result<std::string> svg = pictureAnswer(*judged.value(), options.question);
    if (!svg.ok())
        return fail(svg.failure().in(options.file), to);
    const Result<void> written =
        *format == PictureFormat::Svg ? writeTextFile(output, svg.value()) : drawWithWindow(svg.value(), output);
    if (!written.ok())
        return fail(written.failure(), to);
    std::error_code unknown;
    const auto bytes = std::filesystem::file_size(output, unknown);
    if (options.json)
        to.out << toText({{"file", output},
                          {"bytes", unknown ? 0 : bytes},
                          {"verdict", verdictJson(judged.value()->judgement.verdict)}});
    else
        to.out << fmt::format("{} written, {}\n", output, formatBytes(unknown ? 0 : static_cast<std::int64_t>(bytes)));
    return exitCodeOf(judged.value()->trace, options.file, to);
}

std::string pictureHelp()
{
    return R"(
The timeline as `overlane report` draws it: loader, launching threads, copies and kernels, with ruler
and steps, the verdict above and a legend below. Without a range it shows the three steps most like
the others. A range of --steps, or --from and --to, is judged alone, as a selection in the window is;
times count from the start of the trace, as 12.5ms, 3s or 250us. --gauges adds the counters that
change in the range, eight at most.

The extension of OUT chooses the format. An .svg needs nothing but this program; .pdf and .png are
drawn by the window, overlane-ui, without a display, and show hatches as pale bars. OUT is replaced
as a whole.

Examples:
  overlane picture trace.json.gz                          writes trace.svg
  overlane picture --steps 3-5 train.overlane -o paper.pdf
  overlane picture --from 1.2s --to 1.25s --theme dark --size 1600x600 train.overlane -o slide.png

)" + std::string(kExitCodesHelp);
}

CommandAction declarePicture(OptionList& list)
{
    auto options = std::make_shared<PictureOptions>();
    PictureQuestion& question = options->question;
    list.add("FILE", options->file, "The trace to draw").required();
    list.add("-o,--output", options->output, "The picture, .svg, .pdf or .png; FILE's name with .svg where left out");
    list.add("--steps", question.steps, "Draw and judge these steps only, counted from 0")
        .check(
            [](const std::string& text) {
                return parsedStepNumbers(text) ? std::string()
                                               : fmt::format("write --steps 10-40 or --steps 12, not {}.", text);
            },
            "A-B");
    list.add("--from", question.from, "Draw and judge from this time of the trace on").type("TIME");
    list.add("--to", question.to, "Draw and judge up to this time").type("TIME");
    list.flag("--whole", question.whole, "Draw the whole trace, startup and end too");
    addIterationOption(list, options->iteration);
    list.add("--size", question.size, "Width, or width and height, in pixels; lanes grow with the height")
        .check(checkPictureSize, "W[xH]");
    list.add("--theme", question.theme, "Colors: light or dark").oneOf(pictureThemes()).showDefault();
    list.flag("--gauges", question.gauges, "Draw the counters that change below the lanes");
    list.flag("--json", options->json, "Print JSON with stable keys instead of text");
    return [options](CommandOutput to) { return writePicture(*options, to); };
}

}  // namespace

constinit const Command pictureCommand = {"picture", "Draw the timeline of a range as SVG, PDF or PNG.", pictureHelp,
                                          declarePicture};

}  // namespace overlane
