#include "core/capture/record_session.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <thread>

#include "core/base/units.h"
#include "core/capture/gauge_spool.h"
#include "core/capture/pytorch_hook.h"
#include "core/host/gpu_support.h"
#include "core/io/native_writer.h"
#include "core/record/record_control.h"
#include "core/record/record_environment.h"
#include "core/record/spool_clock.h"
#include "core/record/spool_format.h"
#include "core/record/trace_sink.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

constexpr std::int64_t kMergePeriodNs = 1'000'000'000;
// How long processes that outlive the program have to write their last records.
constexpr auto kLastFlush = std::chrono::milliseconds(700);
constexpr const char* kNoLoader =
    "No process took a batch from PyTorch's DataLoader while recording, so no loader is shown (Python must not run "
    "with -E, -I or -S, and every program between must hand PYTHONPATH on).";

// How to make a trace of what such a folder holds.
std::string recoverCommand(const std::string& folder)
{
    return fmt::format("\"overlane record --recover {} -o FILE\"", folder);
}

Result<std::string> makeFolder(const std::string& output, RecordCaller caller)
{
    const std::string folder = recordingFolder(output);
    std::error_code error;
    if (fs::exists(folder, error))
        return Error{caller == RecordCaller::Window
                         ? fmt::format("A recording to this file was not finished; what it holds is in {}. Choose "
                                       "another name. In a terminal, {} makes a trace of it.",
                                       folder, recoverCommand(folder))
                         : fmt::format("{} is there already: a recording that was not finished. Keep it with {}, or "
                                       "remove it.",
                                       folder, recoverCommand(folder))};
    if (!fs::create_directory(folder, error))
        return Error{fmt::format("{} cannot be made: {}.", folder, error.message())};
    return folder;
}

// Where a file that a recording replaces waits until the recording is complete.
std::string replacedFile(const std::string& output)
{
    return output + ".before";
}

// Its own files only: the folder may be anybody's.
void removeRecording(const std::string& folder)
{
    std::error_code error;
    std::vector<fs::path> own = {fs::path(folder) / record_environment::kControlFile};
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
        if (entry.path().extension() == spool::kFileSuffix)
            own.push_back(entry.path());
    for (const fs::path& path : own)
        fs::remove(path, error);
    fs::remove(folder, error);  // stays where something else is in it
}

// However much is left, no more than a part of it is held at a time.
Result<void> mergeRest(RecordingMerger& merger, NativeWriter& writer)
{
    do {
        if (Result<void> merged = merger.poll(); !merged.ok())
            return merged;
        if (Result<void> written = writer.flush(); !written.ok())
            return written;
    } while (merger.behind());
    return merger.finish();
}

std::string wordsOf(const std::vector<std::string>& command)
{
    return fmt::format("{}", fmt::join(command, " "));
}

}  // namespace

// The growing file: the merger writes into the sink, the sink into the writer.
struct RecordSession::Merge {
    Merge(NativeWriter opened, const std::string& folder)
        : writer(std::move(opened)), sink(writer), merger(folder, sink)
    {
    }

    RecordControl control;
    NativeWriter writer;
    TraceSinkOf<NativeWriter> sink;
    RecordingMerger merger;
    std::unique_ptr<GaugeSpool> gauges;
    std::string failure;  // of writing the file; the spools are kept then
};

std::string recordingFolder(const std::string& output)
{
    return output + ".parts";
}

RecordSession::RecordSession(RecordOptions options, ChildProcess program, std::string folder)
    : m_options(std::move(options)), m_folder(std::move(folder)), m_program(program), m_startNs(monotonicNs())
{
}

RecordSession::~RecordSession() = default;

Result<std::unique_ptr<RecordSession>> RecordSession::start(const RecordOptions& options)
{
    namespace environment = record_environment;
    const std::string library =
        options.library.empty() ? companionPath(environment::kInjectLibrary).string() : options.library;
    if (library.empty())
        return Error{
            fmt::format("This copy of Overlane cannot record: {} is not beside it. Build it where the CUDA "
                        "toolkit is installed.",
                        environment::kInjectLibrary)};
    if (const char* other = std::getenv(environment::kCudaInjection); other != nullptr && *other != '\0')
        return Error{fmt::format("{} is set to {}: another profiler would be replaced. Unset it to record.",
                                 environment::kCudaInjection, other)};
    ProgramStart program = options.program;
    if (options.pytorch) {
        auto variable = pytorchHookVariable(options.pytorchHook);
        if (!variable.ok())
            return Error{variable.error()};
        program.environment.push_back(std::move(variable).value());
    }
    std::error_code error;
    if (fs::exists(options.output, error) && !options.overwrite)
        return Error{
            fmt::format("{} exists already. Choose another name, or {}.", options.output,
                        options.caller == RecordCaller::Window ? "tick that it may be replaced" : "add --overwrite")};

    auto folder = makeFolder(options.output, options.caller);
    if (!folder.ok())
        return Error{folder.error()};
    const auto undo = [&](std::string message) {
        removeRecording(folder.value());
        return Error{std::move(message)};
    };
    RecordControl control = RecordControl::create(folder.value().c_str());
    if (!control.valid())
        return undo(fmt::format("{} cannot be written: {}.", folder.value(), std::strerror(errno)));
    control.setLimit(options.maxBytes);
    control.setState(options.delaySeconds > 0 ? RecordState::Wait : RecordState::Record);
    const bool replaces = fs::exists(options.output, error);
    if (replaces)
        fs::rename(options.output, replacedFile(options.output), error);
    auto writer = NativeWriter::create(options.output);
    if (!writer.ok())
        return undo(fmt::format("{} cannot be written: {}", options.output, writer.error()));

    const std::string absolute = fs::absolute(folder.value(), error).string();
    program.environment.insert(program.environment.end(), {{environment::kCudaInjection, library},
                                                           {environment::kNvtxInjection, library},
                                                           {environment::kSpoolDirectory, absolute},
                                                           {environment::kKinds, options.kinds.text()}});
    auto child = ChildProcess::start(program);
    if (!child.ok()) {
        fs::remove(options.output, error);
        if (replaces)
            fs::rename(replacedFile(options.output), options.output, error);
        return undo(child.error());
    }

    std::unique_ptr<RecordSession> session(new RecordSession(options, std::move(child).value(), folder.value()));
    session->m_merge = std::make_unique<Merge>(std::move(writer).value(), folder.value());
    session->m_merge->control = std::move(control);
    session->m_merge->writer.metadata().title = wordsOf(options.program.command);
    session->m_merge->writer.metadata().format = "recorded";
    session->m_merge->writer.metadata().properties[kRecordedKinds] = options.kinds.text();
    if (options.gauges)
        session->m_merge->gauges = std::make_unique<GaugeSpool>(absolute, session->m_program.pid());
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

bool RecordSession::poll()
{
    const std::int64_t nowNs = monotonicNs();
    const auto passed = [](std::int64_t sinceNs, std::int64_t untilNs, double seconds) {
        return static_cast<double>(untilNs - sinceNs) >= seconds * 1e9;
    };
    if (m_state == State::Waiting && passed(m_startNs, nowNs, m_options.delaySeconds)) {
        m_merge->control.setState(RecordState::Record);
        m_recordingNs = nowNs;
        m_state = State::Recording;
    }
    if (m_state == State::Recording && m_options.durationSeconds > 0 &&
        passed(m_recordingNs, nowNs, m_options.durationSeconds))
        stopRecording();
    // A process that reached the limit has stopped all.
    if (m_state == State::Recording && m_merge->control.state() == RecordState::Stop) {
        m_stoppedNs = nowNs;
        m_state = State::Stopped;
    }
    if (m_program.poll()) {
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
    if (!m_merge->failure.empty())
        return;
    auto merged = m_merge->merger.poll();
    if (merged.ok())
        merged = m_merge->writer.flush();
    if (!merged.ok()) {
        m_merge->failure = merged.error();
        m_warnings.push_back(fmt::format("{} cannot be written: {} The program goes on; its records are kept in {}.",
                                         m_options.output, merged.error(), m_folder));
    }
    const std::vector<std::string> notices = takeNotices();
    m_warnings.insert(m_warnings.end(), notices.begin(), notices.end());
}

std::vector<std::string> RecordSession::takeNotices()
{
    std::vector<std::string> sentences;
    auto& properties = m_merge->writer.metadata().properties;
    for (const RecordingNotice& notice : m_merge->merger.takeNotices()) {
        if (!isAlarming(notice.status))
            continue;
        if (m_told.insert(notice.sentence).second)
            sentences.push_back(notice.sentence);
        properties[fmt::format("process {}: {}", notice.pid, formatDuration(notice.timeNs))] = notice.sentence;
        if (notice.status != RecordStatus::RecordsDropped)  // counted where they are merged
            keepNote(static_cast<std::uint32_t>(notice.status), notice.sentence);
    }
    return sentences;
}

// Where people look for what a trace lacks.
void RecordSession::keepNote(std::uint32_t number, const std::string& sentence)
{
    m_merge->sink.stats().add(fmt::format("recording_note_{}", number), "notes of the recording: " + sentence,
                              Severity::Warning);
}

std::vector<std::string> RecordSession::takeWarnings()
{
    return std::exchange(m_warnings, {});
}

Result<RecordOutcome> RecordSession::finish()
{
    const bool ended = m_program.poll().has_value();
    m_merge->control.setState(RecordState::Stop);
    if (!ended)
        std::this_thread::sleep_for(kLastFlush);
    if (m_merge->gauges)
        m_merge->gauges->stop();

    RecordOutcome outcome;
    outcome.file = m_options.output;
    outcome.program = m_program.poll();
    if (m_merge->failure.empty()) {
        auto merged = mergeRest(m_merge->merger, m_merge->writer);
        outcome.warnings = takeNotices();
        if (m_options.pytorch && ended && !hookWasReached(m_folder)) {
            outcome.warnings.push_back(kNoLoader);
            keepNote(0, kNoLoader);
        }
        if (merged.ok())
            merged = m_merge->writer.flush();
        if (!merged.ok())
            m_merge->failure = merged.error();
    }
    outcome.totals = m_merge->merger.totals();
    if (!m_merge->failure.empty())
        return Error{fmt::format("{} could not be finished: {} Everything recorded is in {}; make room and run {}{}.",
                                 m_options.output, m_merge->failure, m_folder, recoverCommand(m_folder),
                                 m_options.caller == RecordCaller::Window ? " in a terminal" : "")};
    std::error_code error;
    removeRecording(m_folder);
    fs::remove(replacedFile(m_options.output), error);
    return outcome;
}

Result<RecordOutcome> recoverRecording(const std::string& folder, const std::string& output)
{
    std::error_code error;
    if (!fs::is_directory(folder, error))
        return Error{fmt::format("{} is no folder of a recording.", folder)};
    if (fs::exists(output, error))
        return Error{fmt::format("{} exists already. Choose another name.", output)};
    auto writer = NativeWriter::create(output);
    if (!writer.ok())
        return Error{fmt::format("{} cannot be written: {}", output, writer.error())};
    RecordOutcome outcome;
    outcome.file = output;
    TraceSinkOf<NativeWriter> sink(writer.value());
    RecordingMerger merger(folder, sink);
    auto merged = mergeRest(merger, writer.value());
    if (merged.ok())
        merged = writer.value().flush();
    outcome.totals = merger.totals();
    if (!merged.ok()) {
        fs::remove(output, error);
        return Error{fmt::format("{} could not be recovered: {}", folder, merged.error())};
    }
    if (outcome.totals.processes == 0) {
        fs::remove(output, error);
        return Error{fmt::format("{} holds no recording.", folder)};
    }
    for (const RecordingNotice& notice : merger.takeNotices())
        if (isAlarming(notice.status))
            outcome.warnings.push_back(notice.sentence);
    removeRecording(folder);
    return outcome;
}

}  // namespace overlane
