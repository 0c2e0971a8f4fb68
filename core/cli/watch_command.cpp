#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <future>
#include <set>
#include <thread>

#include "core/base/atomic_file.h"
#include "core/base/process_news.h"
#include "core/cli/command.h"
#include "core/cli/record_end.h"
#include "core/cli/record_signals.h"
#include "core/cli/record_status_line.h"
#include "core/cli/record_summary.h"
#include "core/cli/watch_window.h"
#include "core/recorder/recording_files.h"
#include "core/recorder/recording_name.h"
#include "core/recorder/watch_session.h"
#include "core/watch/kept_windows.h"
#include "core/watch/metric_files.h"
#include "core/watch/otlp_json.h"
#include "core/watch/prometheus_text.h"
#include "core/watch/window_json.h"
#include "core/watch/window_text.h"

namespace overlane
{
namespace
{

constexpr auto kWatchPoll = std::chrono::milliseconds(50);
constexpr double kWeek = 7 * 24 * 3600.0;

struct WatchArguments {
    std::vector<std::string> command;
    double everySeconds = 600;
    int iterations = 10;
    int afterIterations = kAfterIterations;
    double durationSeconds = 0;
    std::string metrics;
    std::string otlp;
    int keep = -1;  // not asked for
    std::string folder;
    std::string job;
    std::string kinds = "default";
    std::uint64_t maxBytes = 64'000'000;
    bool json = false;
};

// Where everything goes, once the place in a job is known.
struct WatchFiles {
    std::string metrics;
    std::string otlp;
    std::string traces;  // of windows, without number and ending; empty: none is kept
};

Result<WatchFiles> filesOf(const WatchArguments& options, const RecordingPlace& place)
{
    WatchFiles files;
    const auto named = [&](const std::string& asked, std::string_view option) -> Result<std::string> {
        const std::string ending = std::filesystem::path(asked).extension().string();
        ASSIGN_OR_RETURN(const RecordingName name, recordingName(asked, "overlane", place, {ending, option}));
        return name.file;
    };
    if (!options.metrics.empty()) {
        ASSIGN_OR_RETURN(files.metrics, named(options.metrics, "--metrics"));
    }
    if (!options.otlp.empty()) {
        ASSIGN_OR_RETURN(files.otlp, named(options.otlp, "--otlp"));
        // Now, and not at the first window. A pipe may get its reader later.
        std::error_code error;
        if (!std::filesystem::is_fifo(files.otlp, error))
            RETURN_IF_ERROR(appendMetricLine(files.otlp, {}));
    }
    if (options.folder.empty())
        return files;
    std::error_code error;
    std::filesystem::create_directories(options.folder, error);
    if (error)
        return Error{fmt::format("The folder {} cannot be made: {}.", options.folder, error.message())};
    // Of a rank as well with the time of the start, since those of the start before stay.
    const std::string standard = standardRecordingName(options.command.front());
    ASSIGN_OR_RETURN(const RecordingName name, recordingName(options.folder + "/", standard, place, {"", "-o"}));
    files.traces = place.isOfJob() ? name.file + "-" + standard : name.file;
    if (const auto may = AtomicFile::beside(files.traces + ".overlane"); !may.ok())
        return may.failure().in(options.folder + " cannot be written");
    return files;
}

class Watch
{
public:
    Watch(const WatchArguments& options, const RecordingPlace& place, WatchFiles files, RecordStatusLine& status,
          std::ostream& err)
        : m_json(options.json),
          m_err(err),
          m_place(place),
          m_files(std::move(files)),
          m_status(status),
          m_kept(static_cast<std::size_t>(std::max(options.keep, 0)))
    {
        m_program.job =
            options.job.empty() ? std::filesystem::path(options.command.front()).filename().string() : options.job;
        m_program.rank = place.isOfJob() ? std::to_string(place.rank->rank) : "";
        m_program.host = hostForName(place.host);
        m_program.version = OVERLANE_VERSION;
    }

    // Also before the first window, so that it is known that the program is watched.
    Result<void> writeMetrics()
    {
        const std::vector<Metric> metrics = watchMetrics(m_last, m_change, m_counts);
        if (!m_files.metrics.empty())
            RETURN_IF_ERROR(writeMetricFile(m_files.metrics, prometheusText(metrics, m_program.labels())));
        if (!m_files.otlp.empty() && m_last.number > 0)
            RETURN_IF_ERROR(appendMetricLine(m_files.otlp, otlpLine(metrics, m_program, m_last.endUnixNs)));
        return {};
    }
    void removeMetrics() const
    {
        std::error_code error;
        if (!m_files.metrics.empty())
            std::filesystem::remove(m_files.metrics, error);
    }

    void look(RecordedWindow window)
    {
        const std::string file = m_files.traces.empty()
                                     ? window.folder + ".overlane"
                                     : fmt::format("{}-w{:04}.overlane", m_files.traces, window.number);
        m_looking =
            std::async(std::launch::async, [window = std::move(window), file] { return lookAtWindow(window, file); });
    }
    bool looks() const { return m_looking.valid(); }
    bool isSeen() const { return m_looking.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }
    // Waits where it must.
    void takeSeen(bool programEnded)
    {
        const auto seen = m_looking.get();
        if (!seen.ok()) {
            ++m_counts.failed;
            sayOnce(seen.error());
        } else {
            tell(seen.value(), programEnded);
        }
        if (const auto written = writeMetrics(); !written.ok())
            sayOnce(written.error());
    }
    void sayWorst()
    {
        if (!m_files.traces.empty() && !m_kept.worst().empty())
            sayOnce(fmt::format("the slowest window is in {}.", m_kept.worst()));
    }
    void sayOnce(const std::string& sentence)
    {
        if (!sentence.empty() && m_said.size() < kMostSaid && m_said.insert(sentence).second)
            say(sentence);
    }
    void say(const std::string& sentence)
    {
        if (m_json)
            print({{"rank", rankJson()}, {"note", sentence}});
        else
            m_status.say(rankPrefix(m_place) + sentence);
    }

private:
    static constexpr std::size_t kMostSaid = 200;  // different sentences

    nlohmann::ordered_json rankJson() const
    {
        return m_place.isOfJob() ? nlohmann::ordered_json(m_place.rank->rank) : nlohmann::ordered_json(nullptr);
    }
    void print(const nlohmann::ordered_json& json) { m_err << jsonLine(json) << std::flush; }
    // Each rank prints its own as JSON; of lines for people rank 0's are enough.
    void tellWindow(const std::string& cut)
    {
        if (m_json) {
            nlohmann::ordered_json line{{"rank", rankJson()}};
            line.update(windowJson(m_last, m_change, m_counts, cut));
            print(line);
            return;
        }
        if (!m_place.isOfJob() || m_place.rank->rank == 0)
            m_status.say(windowLine(m_last, m_change) + (cut.empty() ? "" : "; " + cut));
        if (const std::string worse = worseText(m_last, m_change); !worse.empty())
            m_status.say(rankPrefix(m_place) + worse);
    }

    void tell(const SeenWindow& seen, bool programEnded)
    {
        for (const std::string& warning : seen.warnings)
            sayOnce(warning);
        const bool isOfUse = seen.usedGpu && (seen.figures.steps > 0 || !programEnded);
        if (!isOfUse) {
            removeRecorded(seen.file);
            if (programEnded)
                return;
            ++m_counts.failed;
            return sayOnce("no process used a GPU in a window; further windows without one are not reported.");
        }
        ++m_counts.windows;
        m_last = seen.figures;
        m_change = m_history.add(m_last);
        tellWindow(seen.cut);
        if (m_files.traces.empty())
            return removeRecorded(seen.file);
        for (const std::string& file : m_kept.add(seen.file, m_last.stepNs))
            removeRecorded(file);
    }

    const bool m_json;
    std::ostream& m_err;
    const RecordingPlace m_place;
    const WatchFiles m_files;
    RecordStatusLine& m_status;
    WatchedProgram m_program;
    WindowHistory m_history;
    KeptWindows m_kept;
    WatchCounts m_counts;
    WindowFigures m_last;
    WindowChange m_change;
    std::set<std::string> m_said;
    std::future<Result<SeenWindow>> m_looking;
};

// False where the person wants the program left alone.
bool follow(WatchSession& session, Watch& watch)
{
    RecordSignals signals;
    int interrupts = 0;
    while (session.poll()) {
        for (const RecordSignals::Arrived& signal : signals.take()) {
            if (!signal.fromTerminal)
                session.signal(signal.number);
            if (signal.number == SIGINT && ++interrupts == 1)
                watch.say("waiting for the program to end; Ctrl+C again leaves it, unwatched.");
        }
        if (interrupts > 1)
            return false;
        watch.sayOnce(session.takeWarning());
        if (!watch.looks())
            if (auto window = session.takeWindow())
                watch.look(*std::move(window));
        if (watch.looks() && watch.isSeen())
            watch.takeSeen(false);
        session.hold(watch.looks());
        std::this_thread::sleep_for(kWatchPoll);
    }
    return true;
}

int watchProgram(const WatchArguments& options, CommandOutput to)
{
    if (options.command.empty())
        return fail("which program? overlane watch -- COMMAND ARGUMENTS", to, kExitUsage);
    if (options.keep >= 0 && options.folder.empty())
        return fail("--keep needs a folder for the traces: -o FOLDER.", to, kExitUsage);
    if (options.otlp.find("://") != std::string::npos)
        return fail(
            "--otlp names a file: a collector reads it with its otlpjsonfile receiver. Give a path, as in "
            "--otlp overlane.jsonl; docs/watch.md has the receiver's settings.",
            to, kExitUsage);
    WatchOptions watched;
    watched.program.command = options.command;
    watched.everySeconds = options.everySeconds;
    watched.iterations = options.durationSeconds > 0 ? 0 : options.iterations;
    watched.afterIterations = options.afterIterations;
    watched.durationSeconds = options.durationSeconds;
    watched.maxBytes = options.maxBytes;
    std::string_view unknown;
    if (!RecordKinds::parse(options.kinds, watched.kinds, unknown))
        return fail(fmt::format("--kinds: there is no kind \"{}\"; see overlane record --help.", unknown), to,
                    kExitUsage);
    const RecordingPlace place = recordingPlace();
    WatchArguments kept = options;
    if (!kept.folder.empty() && kept.keep < 0)
        kept.keep = 0;
    auto files = filesOf(kept, place);
    if (!files.ok())
        return fail(files.failure(), to);
    RecordStatusLine status(to.err, false);
    Watch watch(kept, place, std::move(files).value(), status, to.err);
    if (const auto written = watch.writeMetrics(); !written.ok())
        return fail(written.failure(), to);
    auto started = WatchSession::start(watched);
    if (!started.ok()) {
        watch.removeMetrics();
        return fail(started.failure(), to);
    }
    WatchSession& session = *started.value();
    const bool ended = follow(session, watch);
    if (watch.looks())
        watch.takeSeen(ended);
    if (auto window = session.takeWindow(); ended && window) {
        watch.look(*std::move(window));
        watch.takeSeen(true);
    }
    session.stop();
    watch.removeMetrics();
    watch.sayWorst();
    const std::optional<ProgramEnd> end = session.programEnd();
    if (!end)
        watch.say("the program still runs, unwatched.");
    started.value().reset();
    return end ? endAsProgram(*end) : kExitCancelled;
}

std::string watchHelp()
{
    return R"(Records some iterations now and then for as long as the program runs, says a line for each such
window, and removes its trace again. Between two windows nothing is recorded. A window is called
slower where its steps are clearly slower than those of each window before, of five at least.

FILE.prom is for the textfile collector of Prometheus' node_exporter; it is replaced as a whole and
removed at the program's end. FILE.jsonl gets a line a window, which the OpenTelemetry Collector
reads (otlpjsonfile). Below a launcher each rank has files of its own.

With --json a window is a line of JSON on standard error, with the metrics, and each other sentence is
the `note` of a line. Standard output stays the program's.

With -o FOLDER the trace with the longest step stays there, and with --keep N the last N as well.

Examples:
  overlane watch -- python train.py
  overlane watch --every 30m --metrics /var/lib/node_exporter/train.prom -- python train.py
  overlane watch --keep 3 -o windows/ -- python train.py
  torchrun --nproc-per-node 8 --no-python overlane watch --metrics train.prom -- python train.py
  overlane watch --duration 2 --otlp overlane.jsonl -- ./server

The exit code is the program's own; 1 where it could not be watched, 2 where the command line is
wrong, 130 where Ctrl+C was pressed twice and the program left running.)";
}

CommandAction declareWatch(OptionList& list)
{
    auto options = std::make_shared<WatchArguments>();
    list.add("--every", options->everySeconds, "Time from a window to the next one; default: 10m")
        .seconds(0.1, kWeek)
        .type("TIME");
    const Option iterations =
        list.add("--iterations", options->iterations, "Iterations of a window").within(1, 100'000).showDefault();
    const Option after = list.add("--after", options->afterIterations, "Iterations to leave out before the first one")
                             .within(0, 1'000'000)
                             .showDefault();
    list.add("--duration", options->durationSeconds, "Length of a window in seconds, where no iterations are counted")
        .within(0.05, 600.0)
        .excludes(iterations)
        .excludes(after);
    list.add("--metrics", options->metrics, "A file for Prometheus, of the last window").type("FILE.prom");
    list.add("--otlp", options->otlp, "A file for OpenTelemetry, with a line a window").type("FILE.jsonl");
    list.add("-o,--output", options->folder, "A folder for the trace of the slowest window").type("FOLDER");
    list.add("--keep", options->keep, "Keep the traces of the last windows, too").within(0, 100'000);
    list.add("--job", options->job, "The label job of the metrics; default: the program's name").type("NAME");
    list.add("--kinds", options->kinds, "What to record, as overlane record has it").showDefault();
    list.add("--max-size", options->maxBytes, "End a window at this size; default: 64MB").bytes(Option::Kilo::Is1000);
    list.flag("--json", options->json, "Print each window as a line of JSON on standard error");
    list.add("COMMAND", options->command, "The program and its arguments; its own options behind --");
    return [options](CommandOutput to) { return watchProgram(*options, to); };
}

}  // namespace

constinit const Command watchCommand = {
    "watch", "Record a few iterations of a running program now and then, as metrics.", watchHelp, declareWatch};

}  // namespace overlane
