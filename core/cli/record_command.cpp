#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

#include "core/base/units.h"
#include "core/cli/command.h"
#include "core/cli/info_text.h"
#include "core/cli/judge_file.h"
#include "core/cli/long_task.h"
#include "core/cli/printable_stream.h"
#include "core/cli/record_signals.h"
#include "core/content/terminal.h"
#include "core/loader/settings.h"
#include "core/recorder/native_code.h"
#include "core/recorder/record_session.h"

namespace overlane
{
namespace
{

constexpr auto kPollPeriod = std::chrono::milliseconds(50);
constexpr int kPollsPerStatus = 10;
// Judging takes about 134 bytes an event (tests/gpu/README.md); larger recordings are judged when somebody
// asks, so that the recorder stays small beside the program whatever its length.
constexpr std::int64_t kMostEventsForVerdict = 1'200'000;

struct RecordArguments {
    std::vector<std::string> command;
    std::string output;
    std::string directory;
    std::uint64_t maxBytes = 0;
    std::string kinds = "default";
    std::string recover;
    double durationSeconds = 0;
    double delaySeconds = 0;
    bool overwrite = false;
    bool noGauges = false;
    bool pytorch = false;
    double stackPeriodMs = kStacksUs / 1000.0;
    bool noStacks = false;
    bool light = false;
    std::string title;
    int gaugesOf = 0;
};

std::string defaultOutput(const std::string& program)
{
    const std::string name = std::filesystem::path(program).stem().string();
    return fmt::format("{}-{:%Y%m%d-%H%M%S}.overlane", name.empty() ? "recording" : name,
                       fmt::localtime(std::time(nullptr)));
}

std::string stateText(RecordSession::State state)
{
    switch (state) {
        case RecordSession::State::Waiting:
            return "waiting";
        case RecordSession::State::Recording:
            return "recording";
        case RecordSession::State::Stopped:
            return "stopped, the program continues";
        case RecordSession::State::Ended:
            break;
    }
    return "ended";
}

std::string statusLine(const RecordSession& session)
{
    const RecordingTotals& totals = session.totals();
    std::string line = fmt::format("overlane: {} {}", stateText(session.state()), formatDuration(session.elapsedNs()));
    if (totals.processes == 0)
        return line + "; no process uses CUDA yet";
    line += fmt::format("; {} kernels, {} copies, {}", formatCount(totals.kernels), formatCount(totals.copies),
                        formatBytes(totals.copyBytes));
    if (totals.pinnedBytes > 0)
        line += fmt::format("; {} pinned", formatBytes(static_cast<std::int64_t>(totals.pinnedBytes)));
    if (totals.dropped > 0)
        line += fmt::format("; {} records dropped", formatCount(static_cast<std::int64_t>(totals.dropped)));
    return line;
}

// The one line that is drawn over and over, where standard error is a terminal.
class StatusLine
{
public:
    explicit StatusLine(std::ostream& err) : m_err(err), m_drawn(isatty(STDERR_FILENO) != 0), m_terminal(m_drawn) {}
    ~StatusLine() { clear(); }

    void draw(const std::string& text)
    {
        if (m_terminal)
            m_err << eraseLine << text.substr(0, textColumns() - 1) << std::flush;
        m_drawn = m_terminal;
    }
    void clear()
    {
        if (m_terminal && m_drawn)
            m_err << eraseLine << std::flush;
        m_drawn = false;
    }
    void say(const std::string& sentence)
    {
        clear();
        m_err << "overlane: " << sentence << '\n' << std::flush;
    }

private:
    std::ostream& m_err;
    bool m_drawn;
    bool m_terminal;
};

// What was recorded, and the worst finding.
void printSummary(const RecordOutcome& outcome, std::ostream& err)
{
    const RecordingTotals& totals = outcome.totals;
    if (!outcome.failure.empty())
        err << "overlane: " << outcome.failure << "; what was recorded until then:\n";
    for (const std::string& warning : outcome.warnings)
        err << "overlane: " << warning << '\n';
    if (totals.kernels == 0 && totals.copies == 0 && totals.hindered > 0) {
        err << "overlane: no copy and no kernel was recorded, for the reason above. " << outcome.file
            << " has the gauges.\n";
        return;
    }
    if (totals.kernels == 0 && totals.copies == 0) {
        err << "overlane: no copy and no kernel came: no process of the program used the GPU while recording. See "
            << outcome.file << " for the gauges.\n";
        return;
    }
    err << fmt::format("overlane: {} {}, {} kernels, {} copies of {} in {}{}.\n", totals.processes,
                       totals.processes == 1 ? "process" : "processes", formatCount(totals.kernels),
                       formatCount(totals.copies), formatBytes(totals.copyBytes), outcome.file,
                       totals.dropped == 0 ? std::string()
                                           : fmt::format("; {} records were dropped",
                                                         formatCount(static_cast<std::int64_t>(totals.dropped))));
    if (totals.events > kMostEventsForVerdict) {
        err << fmt::format("overlane: {} events are too many to judge while a program runs; `overlane info {}` does.\n",
                           formatCount(totals.events), outcome.file);
        return;
    }
    TraceRequest request;
    request.depth = Depth::Verdict;
    const auto judged = judgeFile(outcome.file, LongTask::Drawing::OnTerminal, request);
    if (!judged.ok())
        err << "overlane: " << judged.error() << '\n';
    else
        err << verdictText(judged.value()->judgement.verdict);
}

// Ends as the program ended, so that a shell or a script cannot tell the difference.
int endAs(const ProgramEnd& program)
{
    if (program.signal == 0)
        return program.exitCode;
    const rlimit noCore{0, 0};
    setrlimit(RLIMIT_CORE, &noCore);
    std::signal(program.signal, SIG_DFL);
    std::raise(program.signal);
    return 128 + program.signal;
}

int record(const RecordArguments& options, CommandOutput to)
{
    if (!options.recover.empty()) {
        if (options.output.empty())
            return fail("--recover needs a file to write: -o FILE.", to, kExitUsage);
        const auto recovered = recoverRecording(options.recover, options.output);
        if (!recovered.ok())
            return fail(recovered.failure(), to);
        printSummary(recovered.value(), to.err);
        return kExitOk;
    }
    if (options.command.empty())
        return fail("which program? overlane record -- COMMAND ARGUMENTS", to, kExitUsage);
    RecordOptions record;
    record.program.command = options.command;
    record.program.directory = options.directory;
    record.output = options.output.empty() ? defaultOutput(options.command.front()) : options.output;
    record.overwrite = options.overwrite;
    record.delaySeconds = options.delaySeconds;
    record.durationSeconds = options.durationSeconds;
    record.gauges = !options.noGauges;
    record.pytorch = options.pytorch;
    record.stacksUs = options.noStacks ? 0 : std::llround(options.stackPeriodMs * 1000);
    std::string_view unknown;
    if (!RecordKinds::parse(options.light ? "light" : options.kinds, record.kinds, unknown))
        return fail(fmt::format("--kinds: there is no kind \"{}\"; see overlane record --help.", unknown), to,
                    kExitUsage);
    record.maxBytes = options.maxBytes;
    record.title = options.title;
    record.gaugesOf = options.gaugesOf;

    RecordSignals signals;
    auto started = RecordSession::start(record);
    if (!started.ok())
        return fail(started.failure(), to);
    RecordSession& session = *started.value();
    StatusLine status(to.err);
    int interrupts = 0;
    for (int polls = 0; session.poll(); ++polls) {
        for (const RecordSignals::Arrived& signal : signals.take()) {
            if (!signal.fromTerminal)
                session.signal(signal.number);
            if (signal.number != SIGINT)
                continue;
            if (++interrupts == 1)
                status.say("waiting for the program to end; Ctrl+C again keeps what was recorded and leaves it.");
        }
        if (interrupts > 1)
            break;
        for (const std::string& warning : session.takeWarnings())
            status.say(warning);
        if (polls % kPollsPerStatus == 0)
            status.draw(statusLine(session));
        std::this_thread::sleep_for(kPollPeriod);
    }
    status.clear();
    const auto outcome = session.finish();
    if (!outcome.ok())
        fail(outcome.failure(), to);
    else
        printSummary(outcome.value(), to.err);
    const std::optional<ProgramEnd> end = session.programEnd();
    if (!end)
        to.err << "overlane: the program still runs, unrecorded.\n";
    return end ? endAs(*end) : kExitCancelled;
}

std::string recordHelp()
{
    std::string text =
        "Every process that the program starts is recorded, into one trace. The program keeps its\n"
        "output, its signals and its exit code; Overlane speaks on standard error only.\n\nKinds:\n";
    text +=
        "  default        what the analysis needs: copies, kernels and their calls, waits, memory, NVTX\n"
        "  light          least cost: copies, waits, memory, NVTX, and no kernels\n"
        "  all            everything, every runtime and driver call too\n";
    for (const RecordKindName& kind : kRecordKindNames)
        text += fmt::format("  {:<14} {}\n", kind.name, kind.explanation);
    text += NativeCode::isAvailable()
                ? "\nStacks: of Python by a hook inside the program, of C++, CUDA and other compiled "
                  "programs by perf_event_open\n(2) from outside, with the source lines that "
                  "debug information (-g) has.\n"
                : "\nStacks: of Python by a hook inside the program. This copy was built without "
                  "libdw: none of compiled programs.\n";
    return text + R"(
Examples:
  overlane record -- python train.py --epochs 1
  overlane record -o train.overlane --delay 60 --duration 10 -- torchrun --nproc-per-node 2 train.py
  overlane record --pytorch -- python train.py
  overlane record --light --max-size 2GiB -- ./my_program
  overlane record --kinds default,waits,events -- ./my_program
  overlane record --no-stacks -- python train.py
  overlane record --stack-period 5 -- ./my_program

FILE grows while the program runs. Should Overlane itself be killed, FILE opens with what it holds,
and the rest lies in FILE.parts:
  overlane record --recover train.overlane.parts -o rest.overlane

The exit code is the program's own; 1 where recording could not begin, 2 where the command line is
wrong, 130 where Ctrl+C was pressed twice and the program left running.)";
}

CommandAction declareRecord(OptionList& list)
{
    auto options = std::make_shared<RecordArguments>();
    list.add("-o,--output", options->output, "The file to write; default: PROGRAM-DATE-TIME.overlane").type("FILE");
    list.add("--directory", options->directory, "Where the program runs; default: here").type("FOLDER");
    list.add("--delay", options->delaySeconds, "Start recording this many seconds after the program").within(0.0, 1e6);
    list.add("--duration", options->durationSeconds, "Stop recording after this many seconds; 0 = at its end")
        .within(0.0, 1e6);
    list.add("--max-size", options->maxBytes, "Stop recording at this size, as in 2GiB").bytes(Option::Kilo::Is1000);
    const Option kinds = list.add("--kinds", options->kinds, "What to record: a list of the kinds below").showDefault();
    list.flag("--light", options->light, "The same as --kinds light").excludes(kinds);
    const Option period = list.add("--stack-period", options->stackPeriodMs,
                                   "Look this often at the stacks of programs that use GPUs, in ms")
                              .within(1.0, 10'000.0)
                              .showDefault();
    list.flag("--no-stacks", options->noStacks, "Leave stacks out; Python programs then run without the hook")
        .excludes(period);
    list.flag("--overwrite", options->overwrite, "Replace FILE if it exists");
    list.flag("--no-gauges", options->noGauges, "Leave out memory, swap and driver gauges of the machine");
    list.flag("--pytorch", options->pytorch,
              "Show PyTorch's DataLoader: workers, queues, pin thread, waits for batches, steps");
    list.add("--recover", options->recover, "Finish a recording that was cut off, from its FILE.parts").type("FOLDER");
    // For overlane.recording() of Python, whose own process is recorded.
    list.add("--title", options->title).hidden();
    list.add("--gauges-of", options->gaugesOf).hidden();
    list.add("COMMAND", options->command, "The program and its arguments; its own options behind --");
    return [options](CommandOutput to) { return record(*options, to); };
}

}  // namespace

constinit const Command recordCommand = {
    "record", "Run a CUDA program and record its copies, kernels and calls, unchanged.", recordHelp, declareRecord};

}  // namespace overlane
