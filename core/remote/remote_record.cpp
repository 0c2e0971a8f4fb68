#include "core/remote/remote_record.h"

#include <fmt/format.h>

#include "core/remote/run_folder.h"
#include "core/remote/shell_words.h"

namespace overlane
{
namespace
{

constexpr int kFrameWaitMs = 100;
constexpr std::string_view kRun = "run ";

std::string recorderWords(const RemoteTool& tool, const RemoteRecordOptions& options)
{
    std::string line = shellWords(options.launcher);
    line += fmt::format("{}{} record -o \"$run\"/{}/{} --status-to \"$run\"/{} --shown-in {}", line.empty() ? "" : " ",
                        tool.start(), run_folder::kTraces, options.name.empty() ? "" : shellWord(options.name),
                        run_folder::kStatus, shellWord(options.shownIn.empty() ? "." : options.shownIn));
    if (options.launcher.empty())
        line += " --signals-shared";
    if (!options.arguments.empty())
        line += " " + shellWords(options.arguments);
    return line + " -- " + shellWords(options.command);
}

std::string exports(const RemoteRecordOptions& options)
{
    std::string lines;
    for (const auto& [name, value] : options.environment)
        lines += fmt::format("export {}={}\n", name, shellWord(value));
    return lines;
}

std::string startScript(const RemoteTool& tool, const RemoteRecordOptions& options)
{
    return fmt::format(R"sh(before=$(umask); umask 077
run=$(mktemp -d {folder}/run-XXXXXXXX) || exit 1
undo() {{ [ $# = 0 ] || echo "$1" >&2; rm -rf -- "$run"; exit 1; }}
mkdir "$run"/{traces} && printf '%s\n' {start} >"$run"/{mark} || undo "$run cannot be written: No space left on device?"
umask "$before"
directory={directory}
case $directory in "~/"*) directory=$HOME/${{directory#"~/"}};; esac
cd -- "${{directory:-$HOME}}" 2>/dev/null || undo "the folder ${{directory:-$HOME}} cannot be entered there"
{environment}
{tool} there keep "$run" -- {recorder} </dev/null >/dev/null || undo
echo "run $run"
exec {tool} there follow "$run")sh",
                       fmt::arg("folder", shellWord(options.folder)), fmt::arg("traces", run_folder::kTraces),
                       fmt::arg("start", shellWord(tool.start())), fmt::arg("mark", run_folder::kMark),
                       fmt::arg("directory", shellWord(options.directory)), fmt::arg("tool", tool.start()),
                       fmt::arg("environment", exports(options)), fmt::arg("recorder", recorderWords(tool, options)));
}

}  // namespace

Result<RemoteRecording> RemoteRecording::start(SshSession& session, const RemoteTool& tool,
                                               const RemoteRecordOptions& options, const Progress& progress)
{
    ASSIGN_OR_RETURN(SshProcess process, session.start(startScript(tool, options), progress));
    std::string line;
    while (line.find('\n') == std::string::npos) {
        if (progress.cancelled())
            return Error::cancelled();
        const std::optional<std::string> bytes = process.read(kFrameWaitMs);
        line += bytes.value_or(std::string());
        if (bytes && bytes->empty()) {
            RETURN_IF_ERROR(process.end(progress));
            return Error{fmt::format("{}: the recording did not begin.", session.host())};
        }
    }
    const std::size_t end = line.find('\n');
    RemoteRecording recording(std::move(process), line.substr(kRun.size(), end - kRun.size()));
    recording.m_frames.add(std::string_view(line).substr(end + 1));
    return recording;
}

Result<RemoteRecording> RemoteRecording::follow(SshSession& session, const std::string& run, const std::string& tool,
                                                const Progress& progress)
{
    ASSIGN_OR_RETURN(SshProcess process,
                     session.start(fmt::format("exec {} there follow --now {}", tool, shellWord(run)), progress));
    return RemoteRecording(std::move(process), run);
}

bool RemoteRecording::poll(const Take& take)
{
    const std::optional<std::string> bytes = m_process.read(kFrameWaitMs);
    if (bytes)
        m_frames.add(*bytes);
    for (;;) {
        const auto frame = m_frames.next();
        if (!frame.ok())
            return false;
        if (!frame.value())
            return !bytes || !bytes->empty();
        if (frame.value()->kind == RemoteFrame::Kind::Ended)
            m_end = frame.value()->end;
        m_lost = frame.value()->kind == RemoteFrame::Kind::Lost;
        if (m_end || m_lost)
            return false;
        take(*frame.value());
    }
}

void RemoteRecording::signal(int number)
{
    const Progress always;
    (void)m_process.send(fmt::format("signal {}\n", number), always);
}

}  // namespace overlane
