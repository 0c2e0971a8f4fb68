#include "core/cli/record_there.h"

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "core/base/atomic_file.h"
#include "core/base/descriptor.h"
#include "core/base/units.h"
#include "core/cli/record_signals.h"
#include "core/cli/record_status_line.h"
#include "core/cli/record_there_options.h"
#include "core/cli/record_there_step.h"
#include "core/cli/version_text.h"
#include "core/recorder/host_news.h"
#include "core/remote/remote_record.h"
#include "core/remote/shell_words.h"
#include "core/remote/ssh_words.h"
#include "core/remote/tool_copy.h"
#include "core/remote/trace_fetch.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

constexpr int kLeaveAfterInterrupts = 3;

// One recording on another machine, step by step; each step is one connection.
class There
{
public:
    There(const RecordArguments& options, SshSession session, CommandOutput to)
        : m_options(options), m_session(std::move(session)), m_to(to), m_place(placeOf(options.output))
    {
    }

    RecordedThere record();
    RecordedThere fetch();

private:
    std::string fetchCommand() const;
    void say(const std::string& sentence);
    bool tells() const { return m_options.progressJson; }
    void tell(HostNews::Kind kind, const std::string& words);
    // Short, or one in which ssh may ask for a password.
    ThereStep quietStep(std::string label) { return step(std::move(label), LongTask::Drawing::Never); }
    ThereStep step(std::string label, LongTask::Drawing drawing = LongTask::Drawing::OnTerminal);
    RecordedThere failed(const Error& error, int code = kExitFailed) { return {fail(error, m_to, code), {}}; }
    Result<void> checkPlace();
    Result<RemoteTool> bringHere();
    Result<RemoteRecording> start(const RemoteTool& tool);
    // Follows to the end; the Error where that was not seen.
    Result<ProgramEnd> follow(RemoteRecording& recording);
    Result<std::vector<std::string>> bring();
    Result<void> removeThere(const RemoteTool* tool);
    void leave(const RemoteTool* tool);

    const RecordArguments& m_options;
    SshSession m_session;
    CommandOutput m_to;
    PlaceHere m_place;
    std::string m_machineFolder;
    std::string m_run;  // the folder there
};

std::string There::fetchCommand() const
{
    return fmt::format("overlane record --host {} --fetch {}{}", typedWord(m_options.host), typedWord(m_run),
                       m_options.output.empty() ? std::string() : " -o " + typedWord(m_options.output));
}

void There::say(const std::string& sentence)
{
    if (tells())
        tell(HostNews::Kind::Note, sentence);
    else
        m_to.err << "overlane: " << sentence << '\n' << std::flush;
}

void There::tell(HostNews::Kind kind, const std::string& words)
{
    HostNews news;
    news.kind = kind;
    news.words = words;
    m_to.err << lineOf(news) << std::flush;
}

ThereStep There::step(std::string label, LongTask::Drawing drawing)
{
    return ThereStep(std::move(label), drawing, tells() ? ThereStep::Telling::AsNews : ThereStep::Telling::ToPeople,
                     m_to.err);
}

Result<void> There::checkPlace()
{
    std::error_code error;
    if (!m_place.folder.empty())
        fs::create_directories(m_place.folder, error);
    if (error)
        return Error{fmt::format("the folder {} cannot be made: {}.", m_place.folder, error.message())};
    const std::string file = m_place.folder + m_place.name;
    if (!m_place.name.empty() && !m_options.overwrite && fs::exists(file, error))
        return Error{fmt::format("{} exists already. Choose another name, or add --overwrite.", file)};
    // Before anything is copied or started: a trace that cannot be brought would be told only at the end.
    const std::string probe = m_place.name.empty() ? file + "recording.overlane" : file;
    if (const auto may = AtomicFile::beside(probe); !may.ok())
        return may.failure().in(fmt::format("{} cannot be written", file.empty() ? "the folder" : file));
    return {};
}

Result<RemoteTool> There::bringHere()
{
    RemoteMachine machine;
    {
        ThereStep task = quietStep(fmt::format("connecting to {}", m_session.host()));
        ASSIGN_OR_RETURN(const std::string answer, m_session.ask(machineScript(m_options.hostFolder), task.progress()));
        machine = parseMachine(answer);
    }
    RETURN_IF_ERROR(checkMachine(machine, m_session.host()));
    m_machineFolder = machine.folder;
    ThereStep task = step(fmt::format("preparing the recording on {}", m_session.host()));
    return bringTool(m_session, machine, versionName(), task.progress());
}

Result<RemoteRecording> There::start(const RemoteTool& tool)
{
    ThereStep task = quietStep(fmt::format("starting the program on {}", m_session.host()));
    return RemoteRecording::start(m_session, tool, remoteOptions(m_options, m_place, m_machineFolder), task.progress());
}

void writeTo(int descriptor, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
        if (count < 0 && errno != EINTR)
            return;
        bytes.remove_prefix(count > 0 ? static_cast<std::size_t>(count) : 0);
    }
}

Result<ProgramEnd> There::follow(RemoteRecording& recording)
{
    m_run = recording.run();
    RecordSignals signals;
    RecordStatusLine status(m_to.err, !tells());
    const Descriptor file(m_options.outputTo.empty()
                              ? -1
                              : ::open(m_options.outputTo.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (tells())
        tell(HostNews::Kind::Started, m_run);
    const auto show = [&](const RemoteFrame& frame) {
        if (frame.kind == RemoteFrame::Kind::Status && tells()) {
            tell(HostNews::Kind::Status, frame.text);
            return;
        }
        if (frame.kind == RemoteFrame::Kind::Status) {
            status.draw(fmt::format("{} ({})", frame.text, m_session.host()));
            return;
        }
        status.clear();
        m_to.err << std::flush;
        // As they are: what the program writes is not ours to escape.
        writeTo(file.valid()                              ? file.get()
                : frame.kind == RemoteFrame::Kind::Output ? STDOUT_FILENO
                                                          : STDERR_FILENO,
                frame.text);
    };
    int interrupts = 0;
    bool goesOn = true;
    while (goesOn && interrupts < kLeaveAfterInterrupts) {
        goesOn = recording.poll(show);
        for (const RecordSignals::Arrived& signal : signals.take()) {
            // A window that goes or is to leave the recording there.
            if (tells() && signal.number == SIGHUP) {
                interrupts = kLeaveAfterInterrupts;
                break;
            }
            recording.signal(signal.number);
            interrupts += signal.number == SIGINT && !tells() ? 1 : 0;
            if (signal.number == SIGINT && interrupts == 1)
                status.say(
                    fmt::format("passed on to {}; the trace comes once the program has ended. The third Ctrl+C "
                                "leaves the recording there.",
                                m_session.host()));
        }
    }
    status.clear();
    if (recording.end())
        return *recording.end();
    if (recording.isLost())
        return Error{fmt::format("the recorder on {} was ended before its trace was complete; what it recorded comes.",
                                 m_session.host())};
    if (goesOn)
        return Error{fmt::format("the recording continues on {}. Bring its trace once it has ended: {}",
                                 m_session.host(), fetchCommand()),
                     ErrorKind::Cancelled};
    const std::string words = lastLine(recording.words());
    return Error{fmt::format(
        "the connection to {} broke{}. The program there continues and is recorded to its end. Bring "
        "the trace then: {}",
        m_session.host(), words.empty() ? std::string() : fmt::format(" (ssh: {})", words), fetchCommand())};
}

Result<std::vector<std::string>> There::bring()
{
    RemoteTraces traces;
    {
        ThereStep task = quietStep(fmt::format("looking for the trace on {}", m_session.host()));
        ASSIGN_OR_RETURN(traces, listTraces(m_session, m_run, task.progress()));
    }
    if (!traces.unfinished.empty())
        return Error{
            fmt::format("a recording on {} was not finished. Its parts are there in {}; run `overlane record "
                        "--recover` with them there.",
                        m_session.host(), traces.unfinished.front())};
    if (traces.goesOn)
        return Error{fmt::format("the recording on {} continues.", m_session.host())};
    if (traces.traces.empty())
        return std::vector<std::string>();
    std::int64_t bytes = 0;
    for (const RemoteTrace& trace : traces.traces)
        bytes += trace.bytes;
    ThereStep task = step(fmt::format("bringing {} from {}", formatBytes(bytes), m_session.host()));
    return fetchTraces(m_session, m_run, traces, {m_place.folder, m_place.name, m_options.overwrite}, task.progress());
}

Result<void> There::removeThere(const RemoteTool* tool)
{
    ThereStep task = quietStep(fmt::format("removing the recording on {}", m_session.host()));
    if (!m_options.keep)
        RETURN_IF_ERROR(removeRun(m_session, m_run, task.progress()));
    if (tool != nullptr && m_options.noCache && !tool->folder.empty())
        RETURN_IF_ERROR(removeTool(m_session, *tool, task.progress()));
    return {};
}

void There::leave(const RemoteTool* tool)
{
    if (m_options.keep)
        say(fmt::format("{} keeps the recording in {}.", m_session.host(), m_run));
    const Result<void> removed = removeThere(tool);
    if (!removed.ok())
        say(fmt::format("what was left on {} could not be removed: {} It is in {}.", m_session.host(), removed.error(),
                        m_run));
}

RecordedThere There::record()
{
    if (const Result<void> may = checkPlace(); !may.ok())
        return failed(may.failure());
    const auto tool = bringHere();
    if (!tool.ok())
        return failed(tool.failure());
    if (!tool.value().note.empty())
        say(tool.value().note);
    if (tool.value().sentBytes > 0 && !tells())
        say(fmt::format("sent {} to {}{}", formatBytes(tool.value().sentBytes), m_session.host(),
                        m_options.noCache
                            ? std::string(".")
                            : fmt::format("; the copy stays in {} for the next time (--no-cache removes it).",
                                          tool.value().folder)));
    auto recording = start(tool.value());
    if (!recording.ok())
        return failed(recording.failure());
    const Result<ProgramEnd> end = follow(recording.value());
    const bool seen = end.ok() || recording.value().isLost();
    if (!end.ok() && seen && tells())
        say(end.error());
    else if (!end.ok())
        fail(end.failure(), m_to);
    if (!seen)
        return {end.isCancelled() ? kExitCancelled : kExitFailed, {}};
    const auto files = bring();
    if (!files.ok()) {
        fail(Error{fmt::format("{} The trace is on {} still: {}",
                               files.isCancelled() ? "The transfer was cancelled." : files.error(), m_session.host(),
                               fetchCommand())},
             m_to);
        return {files.isCancelled() ? kExitCancelled : kExitFailed, {}};
    }
    if (!end.ok() && files.value().empty())
        return failed(Error{fmt::format("it left no trace; what it left is in {} there.", m_run)});
    leave(&tool.value());
    if (tells()) {
        HostNews news{HostNews::Kind::Ended, {}, 1, files.value(), {}};
        if (end.ok())
            news.end = end.value();
        m_to.err << lineOf(news) << std::flush;
    }
    if (!end.ok()) {
        if (!tells())
            say(fmt::format("brought {}.", fmt::join(files.value(), ", ")));
        return {kExitFailed, {}};
    }
    return {kExitOk, tells() ? std::optional<ProgramEnd>() : end.value()};
}

RecordedThere There::fetch()
{
    m_run = m_options.fetch;
    if (const Result<void> may = checkPlace(); !may.ok())
        return failed(may.failure());
    RemoteTraces traces;
    {
        ThereStep task = quietStep(fmt::format("looking for the trace on {}", m_session.host()));
        auto listed = listTraces(m_session, m_run, task.progress());
        if (!listed.ok())
            return failed(listed.failure());
        traces = std::move(listed).value();
    }
    if (traces.goesOn) {
        say(fmt::format("the recording on {} continues; its trace comes once it has ended.", m_session.host()));
        const Progress always;
        auto recording = RemoteRecording::follow(m_session, m_run, traces.tool, always);
        if (!recording.ok())
            return failed(recording.failure());
        if (const auto end = follow(recording.value()); !end.ok())
            return failed(end.failure());
    }
    const auto files = bring();
    if (!files.ok())
        return failed(
            Error{fmt::format("{} Bring the rest: {}",
                              files.isCancelled() ? "The transfer was cancelled." : files.error(), fetchCommand())},
            files.isCancelled() ? kExitCancelled : kExitFailed);
    if (files.value().empty())
        return failed(Error{fmt::format("{} has no trace in {}.", m_session.host(), m_run)});
    say(fmt::format("brought {}.", fmt::join(files.value(), ", ")));
    leave(nullptr);
    return {};
}

}  // namespace

RecordedThere recordThere(const RecordArguments& options, CommandOutput to)
{
    if (options.host.empty())
        return {fail("--fetch needs the machine that has the trace: --host user@machine.", to, kExitUsage), {}};
    if (!options.recover.empty() || options.gaugesOf != 0 || options.nameTo >= 0)
        return {fail("--recover is for a recording of this machine; run it there.", to, kExitUsage), {}};
    if (options.fetch.empty() && options.command.empty())
        return {fail("which program? overlane record --host user@machine -- COMMAND ARGUMENTS", to, kExitUsage), {}};
    auto session = SshSession::make(options.host);
    if (!session.ok())
        return {fail(session.failure(), to, kExitUsage), {}};
    // A reader of the program's output that ends does not end the recording.
    std::signal(SIGPIPE, SIG_IGN);
    RecordArguments asked = options;
    if (asked.fetch.empty() && asked.output.empty())
        asked.output = standardName(asked.command.front()) + ".overlane";
    There there(asked, std::move(session).value(), to);
    return asked.fetch.empty() ? there.record() : there.fetch();
}

}  // namespace overlane
