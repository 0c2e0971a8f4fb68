#include "core/system/child_process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

namespace overlane
{
namespace
{

std::vector<std::string> environmentWith(const std::vector<std::pair<std::string, std::string>>& changes)
{
    std::vector<std::string> result;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const std::string_view name = text.substr(0, text.find('='));
        const bool replaced =
            std::any_of(changes.begin(), changes.end(), [name](const auto& change) { return change.first == name; });
        if (!replaced)
            result.emplace_back(text);
    }
    for (auto change = changes.begin(); change != changes.end(); ++change) {
        const bool setAgain =
            std::any_of(change + 1, changes.end(), [&](const auto& later) { return later.first == change->first; });
        if (!setAgain)
            result.push_back(fmt::format("{}={}", change->first, change->second));
    }
    return result;
}

std::vector<char*> pointers(std::vector<std::string>& texts)
{
    std::vector<char*> result;
    result.reserve(texts.size() + 1);
    for (std::string& text : texts)
        result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const ProgramStart& start)
{
    if (start.command.empty())
        return Error{"No program to start."};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (!start.directory.empty() && posix_spawn_file_actions_addchdir_np(&actions, start.directory.c_str()) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return Error{
            fmt::format("A program cannot be started in another folder on this system, whose glibc is older "
                        "than 2.29. Start Overlane in {} instead.",
                        start.directory)};
    }
    if (start.outputFile >= 0) {
        posix_spawn_file_actions_adddup2(&actions, start.outputFile, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, start.outputFile, STDERR_FILENO);
    }
    if (start.errorFile >= 0)
        posix_spawn_file_actions_adddup2(&actions, start.errorFile, STDERR_FILENO);
    if (start.inputFile >= 0)
        posix_spawn_file_actions_adddup2(&actions, start.inputFile, STDIN_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, static_cast<short>((start.ownGroup ? POSIX_SPAWN_SETPGROUP : 0) |
                                                             (start.deafToKeys ? POSIX_SPAWN_SETSIGMASK : 0)));
    if (start.deafToKeys) {
        sigset_t keys;
        sigemptyset(&keys);
        for (const int number : {SIGINT, SIGQUIT})
            sigaddset(&keys, number);
        posix_spawnattr_setsigmask(&attributes, &keys);
    }
    if (start.ownGroup) {
        posix_spawnattr_setpgroup(&attributes, 0);
        // A group in the background is stopped by the terminal that it reads.
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    }
    std::vector<std::string> words = start.command;
    std::vector<std::string> environment = environmentWith(start.environment);
    pid_t pid = -1;
    const int error = posix_spawnp(&pid, words.front().c_str(), &actions, &attributes, pointers(words).data(),
                                   pointers(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (error != 0)
        return Error{fmt::format("{} cannot be started{}: {}.", words.front(),
                                 start.directory.empty() ? "" : " in " + start.directory, std::strerror(error))};
    return ChildProcess(pid);
}

std::optional<ProgramEnd> ChildProcess::reap(int options)
{
    int status = 0;
    pid_t ended = 0;
    while (!m_end && (ended = waitpid(m_pid, &status, options)) < 0 && errno == EINTR) {
    }
    if (ended == m_pid)
        m_end = WIFSIGNALED(status) ? ProgramEnd{0, WTERMSIG(status)} : ProgramEnd{WEXITSTATUS(status), 0};
    return m_end;
}

std::optional<ProgramEnd> ChildProcess::poll()
{
    return reap(WNOHANG);
}

ProgramEnd ChildProcess::wait()
{
    return reap(0).value_or(ProgramEnd{});
}

void ChildProcess::signal(int number)
{
    if (!poll())
        kill(m_pid, number);
}

bool ChildProcess::hasEnded() const
{
    siginfo_t info = {};
    return m_end ||
           (waitid(P_PID, static_cast<id_t>(m_pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == m_pid);
}

void ChildProcess::signalGroup(int number) const
{
    if (!m_end)
        killpg(m_pid, number);
}

}  // namespace overlane
