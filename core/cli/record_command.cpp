#include <chrono>
#include <cmath>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <thread>
#include <unistd.h>

#include "core/cli/command.h"
#include "core/cli/record_arguments.h"
#include "core/cli/record_end.h"
#include "core/cli/record_signals.h"
#include "core/cli/record_status_line.h"
#include "core/cli/record_summary.h"
#include "core/cli/record_there.h"
#include "core/recorder/native_code.h"
#include "core/recorder/record_session.h"
#include "core/recorder/recording_name.h"
#include "core/remote/tool_copy.h"

namespace overlane
{
namespace
{

constexpr auto kPollPeriod = std::chrono::milliseconds(50);
constexpr int kPollsPerStatus = 10;
constexpr int kMostIterations = 1'000'000;

// A program that started this one may read here which file was written.
void hideFromProgram(int descriptor)
{
    if (descriptor >= 0)
        ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

void tellName(int descriptor, const std::string& file)
{
    if (descriptor < 0)
        return;
    const std::string line = file + '\n';
    [[maybe_unused]] const ssize_t written = ::write(descriptor, line.data(), line.size());
}

int recover(const RecordArguments& options, CommandOutput to)
{
    if (options.output.empty())
        return fail("--recover needs a file to write: -o FILE.", to, kExitUsage);
    const auto recovered = recoverRecording(options.recover, options.output);
    if (!recovered.ok())
        return fail(recovered.failure(), to);
    printRecordSummary(recovered.value(), {}, {}, to.err);
    return kExitOk;
}

// All but the file. The Error: a command line that is wrong.
Result<RecordOptions> recordOptions(const RecordArguments& options)
{
    if (options.afterIterations >= 0 && options.iterations == 0)
        return Error{"--after counts iterations, as --iterations does: how many are to be recorded?"};
    RecordOptions record;
    const std::string kinds = options.light ? "light" : options.kinds;  // `unknown` is a part of it
    std::string_view unknown;
    if (!RecordKinds::parse(kinds, record.kinds, unknown))
        return Error{fmt::format("--kinds: there is no kind \"{}\"; see overlane record --help.", unknown)};
    record.program.command = options.command;
    record.program.directory = options.directory;
    record.overwrite = options.overwrite;
    record.delaySeconds = options.delaySeconds;
    record.durationSeconds = options.durationSeconds;
    record.iterations = options.iterations;
    if (options.afterIterations >= 0)
        record.afterIterations = options.afterIterations;
    record.gauges = !options.noGauges;
    record.pytorch = options.pytorch;
    record.stacksUs = options.noStacks ? 0 : std::llround(options.stackPeriodMs * 1000);
    record.maxBytes = options.maxBytes;
    record.title = options.title;
    record.gaugesOf = options.gaugesOf;
    return record;
}

// Outside of a job every program is the first.
bool isFirstRank(const RecordingPlace& place)
{
    return !place.isOfJob() || place.rank->rank == 0;
}

// Until the program has ended, or Ctrl+C was pressed twice.
void follow(RecordSession& session, const RecordArguments& options, const RecordingPlace& place, RecordSignals& signals,
            RecordStatusLine& status)
{
    const bool isFollowed = !options.statusTo.empty() && isFirstRank(place);
    int interrupts = 0;
    for (int polls = 0; session.poll(); ++polls) {
        for (const RecordSignals::Arrived& signal : signals.take()) {
            if (!signal.fromTerminal && !options.signalsShared)
                session.signal(signal.number);
            if (signal.number != SIGINT)
                continue;
            if (++interrupts == 1)
                status.say("waiting for the program to end; Ctrl+C again keeps what was recorded and leaves it.");
        }
        if (interrupts > 1)
            return;
        for (const std::string& warning : session.takeWarnings())
            status.say(rankPrefix(place) + warning);
        if (polls % kPollsPerStatus == 0) {
            const std::string text = recordStatusText(session);
            status.draw(text);
            if (isFollowed)
                std::ofstream(options.statusTo) << text;
        }
        std::this_thread::sleep_for(kPollPeriod);
    }
}

int recordHere(const RecordArguments& options, CommandOutput to)
{
    auto record = recordOptions(options);
    if (!record.ok())
        return fail(record.failure(), to, kExitUsage);
    const RecordingPlace place = recordingPlace();
    const auto named = recordingName(options.output, standardRecordingName(options.command.front()), place);
    if (!named.ok())
        return fail(named.failure(), to, kExitUsage);
    const RecordingName& name = named.value();
    std::error_code error;
    if (!name.folder.empty())
        std::filesystem::create_directories(name.folder, error);
    if (error)
        return fail(fmt::format("the folder {} cannot be made: {}.", name.folder, error.message()), to);
    record.value().output = name.file;
    hideFromProgram(options.nameTo);

    RecordSignals signals;
    auto started = RecordSession::start(record.value());
    if (!started.ok())
        return fail(started.failure(), to);
    RecordSession& session = *started.value();
    RecordStatusLine status(to.err, isFirstRank(place));
    if (name.changed && place.rank->rank == 0)
        status.say(fmt::format("each rank has a file of its own; rank 0 has {}.", name.file));
    follow(session, options, place, signals, status);
    status.clear();
    const auto outcome = session.finish();
    if (outcome.ok()) {
        tellName(options.nameTo, outcome.value().file);
        printRecordSummary(outcome.value(), place, options.shownIn, to.err);
    } else {
        fail(outcome.failure(), to);
    }
    const std::optional<ProgramEnd> end = session.programEnd();
    if (!end)
        to.err << "overlane: the program still runs, unrecorded.\n";
    return end ? endAsProgram(*end) : kExitCancelled;
}

int record(const RecordArguments& options, CommandOutput to)
{
    restoreLibraryPath();
    if (!options.host.empty() || !options.fetch.empty()) {
        const RecordedThere there = recordThere(options, to);
        return there.program ? endAsProgram(*there.program) : there.code;
    }
    if (!options.launcher.empty() || !options.hostFolder.empty() || options.keep || options.noCache)
        return fail("--launcher, --host-folder, --keep and --no-cache belong to --host.", to, kExitUsage);
    if (!options.recover.empty())
        return recover(options, to);
    if (options.command.empty())
        return fail("which program? overlane record -- COMMAND ARGUMENTS", to, kExitUsage);
    return recordHere(options, to);
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
  overlane record --iterations 12 --after 8 -- python train.py
  overlane record --pytorch -- python train.py
  overlane record --light --max-size 2GiB -- ./my_program
  overlane record --kinds default,waits,events -- ./my_program
  overlane record --no-stacks -- python train.py
  overlane record --stack-period 5 -- ./my_program
  overlane record --host me@gpu7 --directory project -- python train.py
  torchrun --nproc-per-node 8 --no-python overlane record -o job/ -- python train.py

Below a launcher (torchrun, srun, mpirun) each rank has a file of its own: job/rank03-HOST.overlane,
x-rank03-HOST.overlane for -o x.overlane. {rank}, {local_rank} and {host} in FILE are filled in.

FILE grows while the program runs. Should Overlane itself be killed, FILE opens with what it holds,
and the rest lies in FILE.parts:
  overlane record --recover train.overlane.parts -o rest.overlane

The exit code is the program's own; 1 where recording could not begin, 2 where the command line is
wrong, 130 where Ctrl+C was pressed twice and the program left running.)";
}

CommandAction declareRecord(OptionList& list)
{
    auto options = std::make_shared<RecordArguments>();
    list.add("-o,--output", options->output,
             "The file to write, or a folder with a slash; default: PROGRAM-DATE-TIME.overlane")
        .type("FILE");
    list.add("--directory", options->directory, "Where the program runs; default: here").type("FOLDER");
    const Option delay =
        list.add("--delay", options->delaySeconds, "Start recording this many seconds after the program")
            .within(0.0, 1e6);
    const Option duration =
        list.add("--duration", options->durationSeconds, "Stop recording after this many seconds; 0 = at its end")
            .within(0.0, 1e6);
    list.add("--iterations", options->iterations, "Record so many iterations of the training loop, then stop")
        .within(1, kMostIterations)
        .excludes(delay)
        .excludes(duration);
    list.add("--after", options->afterIterations, "Iterations to leave out before, as warm-up; default: 10")
        .within(0, kMostIterations);
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
    list.add("--host", options->host, "Record on this machine over ssh: user@machine; trace comes here")
        .check([](const std::string& host) { return host.empty() ? "no machine is named" : std::string(); }, "HOST");
    list.add("--launcher", options->launcher, "With --host: starts a recorder for each rank, as \"srun -n 8\"")
        .type("WORDS");
    list.add("--host-folder", options->hostFolder,
             "With --host: where Overlane and the trace lie there; default: ~/.cache")
        .type("FOLDER");
    list.flag("--keep", options->keep, "With --host: leave the trace there, too");
    list.flag("--no-cache", options->noCache, "With --host: remove the copy of Overlane there again");
    list.add("--fetch", options->fetch, "With --host: bring the trace of a recording whose connection broke")
        .type("FOLDER");
    // For overlane.recording() of Python, whose own process is recorded.
    list.add("--title", options->title).hidden();
    list.add("--gauges-of", options->gaugesOf).hidden();
    list.add("--name-to", options->nameTo).hidden();
    // For the window, whose recordings over ssh are a process of this.
    list.flag("--progress-json", options->progressJson).hidden();
    list.add("--output-to", options->outputTo).hidden();
    list.add("--send-variables", options->sentVariables).hidden();
    // For the other side of a recording over ssh.
    list.add("--status-to", options->statusTo).hidden();
    list.add("--shown-in", options->shownIn).hidden();
    list.flag("--signals-shared", options->signalsShared).hidden();
    list.add("COMMAND", options->command, "The program and its arguments; its own options behind --");
    return [options](CommandOutput to) { return record(*options, to); };
}

}  // namespace

constinit const Command recordCommand = {
    "record", "Run a CUDA program and record its copies, kernels and calls, unchanged.", recordHelp, declareRecord};

}  // namespace overlane
