#include "core/remote/ssh_session.h"

#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>

#include "core/base/printable_text.h"

namespace overlane
{
namespace
{

// What is left of a socket's name (108 bytes, unix(7)) where ssh first makes it with 17 letters more.
constexpr std::size_t kMostSocketBytes = 88;

}  // namespace

SshSession::SshSession(std::string host, TemporaryFolder folder) : m_host(std::move(host)), m_folder(std::move(folder))
{
}

Result<SshSession> SshSession::make(const std::string& host)
{
    if (host.empty() || host.front() == '-' || host.find_first_of(" \t\r\n") != std::string::npos)
        return Error{fmt::format("\"{}\" is no host: ssh takes a machine, user@machine, or a name of ~/.ssh/config.",
                                 printableText(host, TextLines::One))};
    ASSIGN_OR_RETURN(TemporaryFolder folder, TemporaryFolder::make("ssh"));
    return SshSession(host, std::move(folder));
}

std::vector<std::string> SshSession::command() const
{
    std::vector<std::string> words{"ssh", "-T"};
    const auto set = [&words](std::string option) {
        words.emplace_back("-o");
        words.push_back(std::move(option));
    };
    if (m_folder.path().size() <= kMostSocketBytes) {
        set("ControlMaster=auto");
        set("ControlPath=" + m_folder.file("s"));
        set("ControlPersist=60");
    }
    set("RemoteCommand=none");
    set("ClearAllForwardings=yes");
    // A connection that is gone is noticed within 45 s.
    set("ServerAliveInterval=15");
    set("ServerAliveCountMax=3");
    words.emplace_back("--");
    words.push_back(m_host);
    return words;
}

Result<SshProcess> SshSession::start(std::string_view script, const Progress& progress)
{
    // The first call asks for passwords, and Ctrl+C ends it; later ones pass Ctrl+C on.
    ASSIGN_OR_RETURN(SshProcess process, SshProcess::start(command(), m_host, script, m_connected));
    RETURN_IF_ERROR(process.begin(progress));
    m_connected = true;
    return process;
}

Result<std::string> SshSession::ask(std::string_view script, const Progress& progress)
{
    ASSIGN_OR_RETURN(SshProcess process, start(script, progress));
    process.endInput();
    ASSIGN_OR_RETURN(std::string answer, process.readAll(progress));
    RETURN_IF_ERROR(process.end(progress));
    return answer;
}

SshSession::~SshSession()
{
    std::error_code failure;
    if (!m_connected || !std::filesystem::exists(m_folder.file("s"), failure))
        return;
    ProgramStart start;
    start.command = command();
    start.command.insert(start.command.end() - 2, {"-O", "exit"});
    const Descriptor nowhere(::open("/dev/null", O_RDWR | O_CLOEXEC));
    start.outputFile = nowhere.get();
    start.deafToKeys = true;
    if (auto child = ChildProcess::start(start); child.ok())
        child.value().wait();
}

}  // namespace overlane
