#include "core/recorder/record_session.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "core/base/read_only.h"
#include "core/base/units.h"
#include "core/io/overlane_writer.h"
#include "core/recorder/gauge_spool.h"
#include "core/recorder/native_stacks.h"
#include "core/recorder/pytorch_hook.h"
#include "core/recorder/recorded_program.h"
#include "core/recorder/recording_files.h"
#include "core/spool/record_control.h"
#include "core/spool/recorder_lock.h"
#include "core/spool/recording_notes.h"
#include "core/spool/spool_clock.h"
#include "core/spool/spool_format.h"
#include "core/spool/trace_sink.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

constexpr std::int64_t kMergePeriodNs = 1'000'000'000;
// How long processes that outlive the program have to write their last records.
constexpr std::int64_t kLastFlushNs = 700'000'000;
constexpr auto kLastFlushPoll = std::chrono::milliseconds(50);
constexpr const char* kNoLoader =
    "No process took a batch from PyTorch's DataLoader while recording, so no loader is shown (Python must not run "
    "with -E, -I or -S, and every program between must hand PYTHONPATH on).";

constexpr double kPatienceSeconds = 120;  // for a first iteration

bool outOfDescriptors()
{
    const int file = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (file >= 0)
        ::close(file);
    return file < 0 && (errno == EMFILE || errno == ENFILE);
}

// What to do before a recording that could not be written can be recovered.
std::string wayOut()
{
    return outOfDescriptors() ? "raise the number of open files (ulimit -n)" : "make room";
}

std::string noIteration(RecordCaller caller)
{
    return noIterationText(caller == RecordCaller::Window ? "Record by seconds" : "Record by --delay and --duration");
}

}  // namespace

// The growing file: the merger writes into the sink, the sink into the writer.
struct RecordSession::Merge {
    Merge(OverlaneWriter opened, const std::string& folder)
        : writer(std::move(opened)), sink(writer), merger(folder, sink), notes(sink)
    {
    }
    Result<void> flush()
    {
        collectNotes();
        return writer.flush();
    }
    void collectNotes()
    {
        notes.add(merger.takeNotices());
        hindered += notes.addWriteError(control.writeError());
        if (stacks)
            for (const std::string& sentence : stacks->takeNotes())
                notes.addOwn("stacks", sentence);
    }
    void fail(const std::string& error)
    {
        failure = error;
        advice = wayOut();
    }

    RecorderLock lock;
    RecordControl control;
    OverlaneWriter writer;
    TraceSinkOf<OverlaneWriter> sink;
    RecordingMerger merger;
    RecordingNotes notes;
    std::unique_ptr<GaugeSpool> gauges;
    std::unique_ptr<NativeStacks> stacks;
    std::string replaced;        // the file that this one replaces, until this one is complete
    std::uint32_t hindered = 0;  // that could not write and so could not say so
    std::string failure;         // of writing the file; the spools are kept then
    std::string advice;          // what to do about it
};

std::string failureText(const ProgramEnd& end, std::int64_t afterNs)
{
    if (end.signal != 0)
        return fmt::format("The program was ended by signal {} ({}) after {}", end.signal, strsignal(end.signal),
                           formatDuration(afterNs));
    return end.exitCode == 0
               ? std::string()
               : fmt::format("The program ended with exit code {} after {}", end.exitCode, formatDuration(afterNs));
}

RecordSession::RecordSession(RecordOptions options, ChildProcess program, std::string folder)
    : m_options(std::move(options)), m_folder(std::move(folder)), m_program(program), m_startNs(monotonicNs())
{
}

RecordSession::~RecordSession() = default;

Result<std::unique_ptr<RecordSession>> RecordSession::start(const RecordOptions& options)
{
    ASSIGN_OR_RETURN(const std::string library, recordingLibrary(options.library));
    ProgramStart program = options.program;
    RETURN_IF_ERROR(addPythonHook(program, {.folder = options.pytorchHook,
                                            .looksAtLoader = options.pytorch || options.iterations > 0,
                                            .isNeeded = options.pytorch,
                                            .stacksUs = options.stacksUs}));
    std::error_code error;
    if (fs::exists(options.output, error) && !options.overwrite)
        return Error{
            fmt::format("{} exists already. Choose another name, or {}.", options.output,
                        options.caller == RecordCaller::Window ? "tick that it may be replaced" : "add --overwrite")};
    if (const Result<void> may = mayReplace(options.output); !may.ok())
        return may.failure().in(options.output + " cannot be written");

    StartedFiles files(options.output);
    RETURN_IF_ERROR(files.makeFolder(options.caller));
    RecordControl control = RecordControl::create(files.folder().c_str());
    if (!control.valid())
        return Error{fmt::format("{} cannot be written: {}.", files.folder(), std::strerror(errno))};
    RecorderLock lock(files.folder());
    control.setLimit(options.maxBytes);
    if (options.iterations > 0)
        control.boundIterations(static_cast<std::uint32_t>(std::max(options.afterIterations, 0)),
                                static_cast<std::uint32_t>(options.iterations));
    control.setState(options.delaySeconds > 0 || options.iterations > 0 ? RecordState::Wait : RecordState::Record);
    auto writer = files.makeOutput();
    if (!writer.ok())
        return writer.failure();

    const std::string absolute = fs::absolute(files.folder(), error).string();
    addRecordingVariables(program, library, absolute, options.kinds);
    ASSIGN_OR_RETURN(auto child, ChildProcess::start(program));

    const std::string folder = files.folder();
    std::unique_ptr<RecordSession> session(new RecordSession(options, child, folder));
    session->m_merge = std::make_unique<Merge>(std::move(writer).value(), folder);
    session->m_merge->replaced = files.keep();
    session->m_merge->lock = std::move(lock);
    session->m_merge->control = std::move(control);
    describeRecording(session->m_merge->writer.metadata(), program, options.kinds);
    if (!options.title.empty())
        session->m_merge->writer.metadata().title = options.title;
    if (options.gauges)
        session->m_merge->gauges =
            std::make_unique<GaugeSpool>(absolute, options.gaugesOf > 0 ? options.gaugesOf : session->m_program.pid());
    if (options.stacksUs > 0)
        session->m_merge->stacks = std::make_unique<NativeStacks>(
            absolute, options.stacksUs * 1000, options.openPerfEvent ? options.openPerfEvent : openPerfEvent);
    return session;
}

std::int64_t RecordSession::elapsedNs() const
{
    if (m_recordingNs == 0)
        return 0;
    return (m_stoppedNs > 0 ? m_stoppedNs : monotonicNs()) - m_recordingNs;
}

const RecordingTotals& RecordSession::totals() const
{
    return m_merge->merger.totals();
}

int RecordSession::iterationsBegun() const
{
    return static_cast<int>(m_merge->control.page()->iterationsBegun);
}

int RecordSession::iterationsRecorded() const
{
    const std::uint32_t from = m_merge->control.page()->iterationsFrom;
    const int begun = iterationsBegun() - static_cast<int>(from);
    return from == 0 ? 0 : std::clamp(begun, 0, m_options.iterations);
}

// What is due by the clock, and what the iterations that were counted or a limit have brought.
void RecordSession::followState(std::int64_t nowNs)
{
    const auto passed = [nowNs](std::int64_t sinceNs, double seconds) {
        return static_cast<double>(nowNs - sinceNs) >= seconds * 1e9;
    };
    RecordControl& control = m_merge->control;
    const bool counts = m_options.iterations > 0;
    control.followIterations();
    if (m_state == State::Waiting && !counts && passed(m_startNs, m_options.delaySeconds))
        control.setState(RecordState::Record);
    if (m_state == State::Waiting && control.state() != RecordState::Wait) {
        m_recordingNs = nowNs;
        m_state = State::Recording;
    }
    if (m_state == State::Recording && m_options.durationSeconds > 0 &&
        passed(m_recordingNs, m_options.durationSeconds))
        stopRecording();
    // A process that reached the limit has stopped all, and so have the iterations.
    if (m_state == State::Recording && control.state() == RecordState::Stop) {
        m_stoppedNs = nowNs;
        m_state = State::Stopped;
    }
    if (counts && !m_warnedOfNone && iterationsBegun() == 0 && passed(m_startNs, kPatienceSeconds)) {
        m_warnedOfNone = true;
        m_warnings.push_back(noIteration(m_options.caller));
    }
}

bool RecordSession::poll()
{
    const std::int64_t nowNs = monotonicNs();
    followState(nowNs);
    if (m_program.poll()) {
        m_endedNs = m_endedNs == 0 ? nowNs : m_endedNs;
        if (m_stoppedNs == 0)
            m_stoppedNs = nowNs;
        m_state = State::Ended;
        return false;
    }
    if (nowNs - m_mergedNs >= kMergePeriodNs) {
        mergeNow();
        if (!m_merge->merger.behind())
            m_mergedNs = monotonicNs();
    }
    return true;
}

// How the program's end left the iterations that were asked for; empty where all are there.
std::string RecordSession::iterationsText() const
{
    const RecordControl& control = m_merge->control;
    if (m_options.iterations == 0 || control.page()->stopReason != 0)
        return {};
    const int begun = iterationsBegun();
    if (begun == 0)
        return noIteration(m_options.caller);
    if (control.page()->iterationsFrom == 0)
        return fmt::format(
            "Nothing was recorded: the program ended after {} iterations, and recording begins behind the first {}. "
            "Leave out fewer{}.",
            formatCount(begun), formatCount(m_options.afterIterations),
            m_options.caller == RecordCaller::Window ? "" : ": --after");
    if (iterationsRecorded() < m_options.iterations)
        return fmt::format("The program ended before all iterations were recorded: {} of {}.",
                           formatCount(iterationsRecorded()), formatCount(m_options.iterations));
    return {};
}

void RecordSession::stopRecording()
{
    if (m_state != State::Waiting && m_state != State::Recording)
        return;
    m_merge->control.setState(RecordState::Stop);
    m_stoppedNs = monotonicNs();
    m_state = State::Stopped;
}

// A file that cannot be written any more is given up; the spools still hold everything.
void RecordSession::mergeNow()
{
    Merge& merge = *m_merge;
    if (merge.failure.empty()) {
        auto merged = merge.merger.poll();
        if (const Result<void> written = merge.flush(); merged.ok())
            merged = written;
        if (!merged.ok()) {
            merge.fail(merged.error());
            m_warnings.push_back(
                fmt::format("{} cannot be written: {} The program continues; its records are kept in {}.",
                            m_options.output, merged.error(), m_folder));
        }
    }
    merge.collectNotes();  // also where the disk that is full is that of the processes
    const std::vector<std::string> notes = merge.notes.take();
    m_warnings.insert(m_warnings.end(), notes.begin(), notes.end());
}

// Processes that outlive the program, or this recorder's wish for it, write what they have.
void RecordSession::awaitLastFlush()
{
    const std::int64_t untilNs = monotonicNs() + kLastFlushNs;
    for (mergeNow(); m_merge->failure.empty() && m_merge->merger.someLive() && monotonicNs() < untilNs; mergeNow())
        std::this_thread::sleep_for(kLastFlushPoll);
}

std::vector<std::string> RecordSession::takeWarnings()
{
    m_told.insert(m_warnings.begin(), m_warnings.end());
    return std::exchange(m_warnings, {});
}

std::vector<std::string> RecordSession::untold() const
{
    std::vector<std::string> sentences = m_merge->notes.all();
    std::erase_if(sentences, [this](const std::string& sentence) { return m_told.contains(sentence); });
    return sentences;
}

Result<RecordOutcome> RecordSession::finish()
{
    Merge& merge = *m_merge;
    const bool ended = m_program.poll().has_value();
    merge.control.setState(RecordState::Stop);
    if (merge.stacks)
        merge.stacks->stop();
    awaitLastFlush();
    if (merge.gauges)
        merge.gauges->stop();

    RecordOutcome outcome;
    outcome.file = m_options.output;
    outcome.program = m_program.poll();
    if (outcome.program)
        outcome.failure = failureText(*outcome.program, (m_endedNs == 0 ? monotonicNs() : m_endedNs) - m_startNs);
    if (merge.failure.empty()) {
        auto merged = merge.merger.finish([&] { return merge.flush(); });
        merge.collectNotes();
        if (merge.gauges && merge.gauges->error() != 0)
            merge.notes.addOwn("gauges", fmt::format("The gauges of the machine could not be written to the end ({}).",
                                                     std::strerror(merge.gauges->error())));
        if (m_options.pytorch && ended && !hookWasReached(m_folder))
            merge.notes.addOwn("0", kNoLoader, Severity::Info);
        if (const std::string sentence = iterationsText(); ended && !sentence.empty())
            merge.notes.addOwn("iterations", sentence);
        if (!outcome.failure.empty()) {
            const std::string sentence = outcome.failure + "; the trace has what was recorded until then.";
            merge.notes.addOwn("program", sentence);
            m_told.insert(sentence);
        }
        if (merged.ok())
            merged = merge.writer.finish();
        if (!merged.ok())
            merge.fail(merged.error());
    }
    outcome.warnings = untold();
    outcome.totals = merge.merger.totals();
    outcome.totals.hindered += merge.hindered;
    if (!merge.failure.empty()) {
        merge.lock = {};  // a recovery may have the folder from here on
        std::vector<std::string> sentences = {
            fmt::format("{} could not be finished: {} Everything recorded is in {}; {} and run {}{}.", m_options.output,
                        merge.failure, m_folder, merge.advice, recoverCommand(m_folder),
                        m_options.caller == RecordCaller::Window ? " in a terminal" : "")};
        if (!merge.replaced.empty())
            sentences.push_back(fmt::format("The file that it was to replace is {}.", merge.replaced));
        sentences.insert(sentences.end(), outcome.warnings.begin(), outcome.warnings.end());
        return Error{fmt::format("{}", fmt::join(sentences, " "))};
    }
    removeRecording(m_folder);
    if (!merge.replaced.empty())
        removeRecorded(merge.replaced);
    return outcome;
}

Result<RecordOutcome> recoverRecording(const std::string& folder, const std::string& output)
{
    std::error_code error;
    if (!fs::is_directory(folder, error))
        return Error{fmt::format("{} is no folder of a recording.", folder)};
    const RecorderLock lock(folder);
    if (lock.isTaken())
        return Error{inUse(folder)};
    if (fs::exists(output, error))
        return Error{fmt::format("{} exists already. Choose another name.", output)};
    auto writer = OverlaneWriter::create(output);
    if (!writer.ok())
        return writer.failure().in(output + " cannot be written");
    RecordOutcome outcome;
    outcome.file = output;
    TraceSinkOf<OverlaneWriter> sink(writer.value());
    RecordingMerger merger(folder, sink);
    RecordingNotes notes(sink);
    const RecordControl control = RecordControl::open(folder.c_str());
    const bool failed = control.valid() && notes.addWriteError(control.writeError());
    const auto flush = [&] {
        notes.add(merger.takeNotices());
        return writer.value().flush();
    };
    auto merged = merger.finish(flush);
    if (merged.ok()) {
        notes.add(merger.takeNotices());
        merged = writer.value().finish();
    }
    outcome.totals = merger.totals();
    outcome.totals.hindered += failed;
    outcome.warnings = notes.all();
    if (!merged.ok()) {
        const std::string advice = wayOut();
        removeRecorded(output);
        return Error{fmt::format("{} could not be recovered: {} Nothing of it is lost; {} and try again.", folder,
                                 merged.error(), advice)};
    }
    if (outcome.totals.processes == 0) {
        removeRecorded(output);
        return Error{fmt::format("{} holds no recording.{}{}", folder, outcome.warnings.empty() ? "" : " ",
                                 fmt::join(outcome.warnings, " "))};
    }
    removeRecording(folder);
    return outcome;
}

}  // namespace overlane
