#include <chrono>
#include <csignal>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <thread>

#include "core/base/units.h"
#include "core/cli/cli.h"
#include "core/cli/command.h"
#include "core/cli/info_text.h"
#include "core/cli/long_task.h"
#include "core/cli/try_text.h"
#include "core/recorder/record_session.h"
#include "core/system/usable_processors.h"
#include "core/trial/trial_news.h"
#include "core/trial/trial_runner.h"
#include "core/trial/trial_series.h"

namespace overlane
{
namespace
{

using Clock = std::chrono::steady_clock;

constexpr auto kPoll = std::chrono::milliseconds(20);
constexpr std::int64_t kFewestBatches = 5;
// A setting that takes so many times as long as the program as it is has shown enough.
constexpr double kPatience = 4;
constexpr double kStartSeconds = 120;  // of patience for a start that takes longer than another

struct TryOptions {
    std::vector<std::string> command;
    std::string directory;
    std::string log;
    std::string recording;  // kept here; empty: not kept
    double budgetSeconds = 300;
    TrialWindow window;
    bool noRecording = false;
    bool json = false;
    bool progressJson = false;
};

double secondsSince(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// One program, tried once.
class Try
{
public:
    Try(const TryOptions& options, TrialRunner runner, TemporaryFolder folder, CommandOutput to, Progress& progress)
        : m_options(options), m_runner(std::move(runner)), m_folder(std::move(folder)), m_to(to), m_progress(progress)
    {
    }

    int run()
    {
        const Clock::time_point firstStart = Clock::now();
        tell({{},
              fmt::format("first, a run as it is{}: {}", m_options.noRecording ? "" : ", recorded",
                          fmt::join(m_options.command, " "))});
        Result<TrialReport> first = m_options.noRecording ? runPlain() : runRecorded();
        if (!first.ok())
            return fail(first.failure(), m_to);
        const TrialReport& found = first.value();
        if (found.batches < kFewestBatches)
            return fail(fmt::format("The program took {} batches from {} before it ended; that is too few to time any. "
                                    "Let it run longer, or set --warm-up below {}.",
                                    found.batches, loaderText(found), m_options.window.warmUp),
                        m_to);
        tell({{}, fmt::format("{}; {} batches of each run are timed", loaderText(found), found.batches)});
        m_options.window.batches = found.batches;
        m_options.window.limitSeconds = kPatience * secondsSince(firstStart) + kStartSeconds;

        TrialSeries series(found, usableProcessors());
        bool budgetSpent = false;
        while (const std::optional<std::size_t> row = series.next()) {
            budgetSpent = secondsSince(m_start) > m_options.budgetSeconds;
            if (budgetSpent || !runRow(series, *row, found.loader))
                break;
        }
        if (!series.rows().front().failure.empty())
            return fail("The program as it is could not run again. " + series.rows().front().failure, m_to);
        TryOutcome outcome{found,
                           series,
                           {},
                           m_noPredictions,
                           secondsSince(m_start),
                           found.batches,
                           budgetSpent && !series.answer(),
                           m_progress.cancelled()};
        for (const TrialRow& tried : series.rows())
            outcome.predicted.push_back(m_predictions ? m_predictions->predict(series.asItIs(), tried.settings)
                                                      : std::nullopt);
        m_to.out << (m_options.json ? toText(tryJson(outcome)) : tryText(answerOf(outcome)));
        return m_progress.cancelled() ? kExitCancelled : kExitOk;
    }

private:
    void tell(const TrialNews& news)
    {
        if (m_options.progressJson)
            m_to.err << lineOf(news) << std::flush;
        else if (news.run)
            m_to.err << fmt::format("overlane: {:>3}  {:<50}  {}\n", news.run->number, news.run->setting, news.words)
                     << std::flush;
        else
            m_to.err << "overlane: " << news.words << '\n' << std::flush;
    }

    Result<TrialReport> runPlain()
    {
        m_noPredictions = "the first run was not recorded.";
        return m_runner.run({}, {}, m_options.window, m_progress);
    }

    // Where it cannot be recorded it is run all the same.
    Result<TrialReport> runRecorded()
    {
        ASSIGN_OR_RETURN(ProgramStart start, m_runner.prepare({}, {}, m_options.window));
        Result<TrialRunner::Output> output = m_runner.openOutput();
        if (!output.ok())
            return output.failure();
        RecordOptions record;
        record.program = std::move(start);
        record.program.outputFile = output.value().file.get();
        record.output = m_options.recording.empty() ? m_folder.file("first.overlane") : m_options.recording;
        record.pytorch = true;
        record.gauges = false;
        auto started = RecordSession::start(record);
        if (!started.ok() && !m_options.recording.empty())
            return started.failure();
        if (!started.ok()) {
            Result<TrialReport> plain = runPlain();
            m_noPredictions = started.error();
            return plain;
        }
        RecordSession& session = *started.value();
        const Clock::time_point until =
            Clock::now() + std::chrono::seconds(static_cast<std::int64_t>(m_options.window.limitSeconds));
        while (session.poll() && !m_progress.cancelled() && Clock::now() < until)
            std::this_thread::sleep_for(kPoll);
        if (!session.programEnd())
            endProgram(session);
        const auto recorded = session.finish();
        if (m_progress.cancelled())
            return Error::cancelled();
        Result<TrialReport> found = m_runner.judge(session.programEnd().value_or(ProgramEnd{}), output.value());
        if (found.ok() && recorded.ok())
            predictFrom(recorded.value().file);
        else if (found.ok())
            m_noPredictions = recorded.error();
        return found;
    }

    static void endProgram(RecordSession& session)
    {
        session.signal(SIGTERM);
        for (int polls = 0; session.poll(); ++polls) {
            if (polls == 250)
                session.signal(SIGKILL);
            std::this_thread::sleep_for(kPoll);
        }
    }

    void predictFrom(const std::string& recording)
    {
        Result<TryPredictions> predictions = TryPredictions::of(recording, m_progress);
        if (predictions.ok())
            m_predictions = std::move(predictions).value();
        else
            m_noPredictions = predictions.error();
    }

    // False where it was cancelled.
    bool runRow(TrialSeries& series, std::size_t row, const std::string& loader)
    {
        const LoaderSettings& settings = series.rows()[row].settings;
        const Result<TrialReport> measured = m_runner.run(loader, settings, m_options.window, m_progress);
        TrialNews::Run run{static_cast<std::int64_t>(series.runs()) + 1, changeOfSettings(series.asItIs(), settings),
                           0};
        if (!measured.ok() && m_progress.cancelled())
            return false;
        if (!measured.ok()) {
            tell({run, "failed"});
            series.fail(row, measured.error());
        } else if (measured.value().loader != loader || measured.value().batches < kFewestBatches) {
            tell({run, "too few batches"});
            series.fail(row, "The program did not take as many batches from this loader as before.");
        } else {
            run.batchNs = std::llround(measured.value().batchNs());
            tell({run, fmt::format("{} a batch", formatDuration(run.batchNs))});
            series.add(row, measured.value().batchNs());
        }
        return true;
    }

    TryOptions m_options;
    TrialRunner m_runner;
    TemporaryFolder m_folder;
    CommandOutput m_to;
    Progress& m_progress;
    const Clock::time_point m_start = Clock::now();
    std::optional<TryPredictions> m_predictions;
    std::string m_noPredictions;
};

int tryProgram(const TryOptions& options, CommandOutput to)
{
    if (options.command.empty())
        return fail("which program? overlane try -- python train.py", to, kExitUsage);
    Result<TrialRunner> runner = TrialRunner::make({options.command, options.directory, options.log, {}});
    if (!runner.ok())
        return fail(runner.failure(), to);
    Result<TemporaryFolder> folder = TemporaryFolder::make("try");
    if (!folder.ok())
        return fail(folder.failure(), to);
    LongTask trying("Trying", LongTask::Drawing::Never, LongTask::Cancelling::MustAnswer);
    return Try(options, std::move(runner).value(), std::move(folder).value(), to, trying.progress()).run();
}

constexpr std::string_view kTryHelpText =
    "The program is started again and again, each time with other settings of its DataLoader, timed over\n"
    "some batches behind a warm-up, and ended. It runs as it is otherwise: what it writes in its first\n"
    "batches (logs, checkpoints, uploads) it writes in every run, so switch that off, or let it write\n"
    "to a scratch folder. Nothing of the program is changed; what is printed is the lines to change.\n"
    "\n"
    "Tried are pin_memory, non_blocking for copies of pinned batches to the GPU, num_workers (for\n"
    "datasets with indices), prefetch_factor and persistent_workers, one at a time and then what helped\n"
    "together, in rounds with the program as it is, until one is faster beyond noise, none can be, or\n"
    "the budget is spent. The first run is recorded, for what-if to predict the others.\n"
    "\n"
    "Called faster is what is more than 2 % faster and more than chance explains: beyond Student's t of\n"
    "one in two hundred times the standard error, with the spread of all settings' runs taken together.\n"
    "\n"
    "Examples:\n"
    "  overlane try -- python train.py\n"
    "  overlane try --budget 10m --directory /tmp/scratch -- python ~/train.py --no-checkpoints\n"
    "  overlane try --batches 100 --warm-up 30 --log runs.txt -- torchrun --nproc-per-node 2 train.py\n"
    "  overlane try --json -- python train.py > tried.json";

std::string tryHelp()
{
    return std::string(kTryHelpText) + "\n\n" + std::string(kExitCodesHelp);
}

CommandAction declareTry(OptionList& list)
{
    auto options = std::make_shared<TryOptions>();
    list.add("--budget", options->budgetSeconds, "Begin no run after this time, as in 90s; default: 5m")
        .seconds(1, 1e6)
        .type("TIME");
    list.add("--batches", options->window.batches, "Time so many; default: 4 s of them, 20 at least")
        .within(kFewestBatches, std::int64_t{1'000'000});
    list.add("--warm-up", options->window.warmUp, "Batches before, on top of those that workers hold")
        .within(std::int64_t{1}, std::int64_t{1'000'000})
        .showDefault();
    list.add("--directory", options->directory, "Where the program runs; default: here");
    list.add("--log", options->log, "Append what the program prints to this file");
    const Option none =
        list.flag("--no-recording", options->noRecording, "Do not record the first run; there are no predictions");
    list.add("--recording", options->recording, "Keep the recording of the first run as this file").excludes(none);
    list.flag("--json", options->json, "Print JSON with stable keys instead of text");
    list.flag("--progress-json", options->progressJson,
              "Tell the progress on standard error as JSON, an object a line");
    list.add("COMMAND", options->command, "The program and its arguments; its own options behind --");
    return [options](CommandOutput to) { return tryProgram(*options, to); };
}

}  // namespace

constinit const Command tryCommand = {"try", "Try other loader settings in a PyTorch program, for real and in turns.",
                                      tryHelp, declareTry};

}  // namespace overlane
