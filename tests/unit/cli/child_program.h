// ChildProgram: the built program as a child process of a test, to be interrupted and looked at.
//
// Standard output and standard error go to files, or standard error to a pseudo-terminal.
#pragma once

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <poll.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "tests/support/temp_dir.h"

namespace overlane::test
{

class ChildProgram
{
public:
    enum class Errors : bool { ToFile, ToTerminal };

    // False where the system gives no pseudo-terminal, as in a bare container.
    static bool terminalsExist()
    {
        const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
        const bool exist = terminal >= 0 && ::ptsname(terminal) != nullptr && ::access(::ptsname(terminal), F_OK) == 0;
        if (terminal >= 0)
            ::close(terminal);
        return exist;
    }

    ChildProgram(const TempDir& dir, std::vector<std::string> arguments, Errors errors = Errors::ToFile)
        : m_out(dir.path("stdout")), m_err(dir.path("stderr"))
    {
        if (errors == Errors::ToTerminal) {
            m_terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
            ::grantpt(m_terminal);
            ::unlockpt(m_terminal);
            m_err = ::ptsname(m_terminal);
        }
        arguments.insert(arguments.begin(), OVERLANE_PROGRAM);
        std::vector<char*> texts;
        texts.reserve(arguments.size() + 1);
        for (std::string& argument : arguments)
            texts.push_back(argument.data());
        texts.push_back(nullptr);
        m_pid = ::fork();
        if (m_pid != 0)
            return;
        constexpr int kWrite = O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY;
        ::dup2(::open(m_out.c_str(), kWrite, 0600), STDOUT_FILENO);
        ::dup2(::open(m_err.c_str(), kWrite, 0600), STDERR_FILENO);
        ::execv(texts.front(), texts.data());
        ::_exit(127);
    }
    ~ChildProgram()
    {
        if (m_pid > 0 && !m_waited) {
            ::kill(m_pid, SIGKILL);
            ::waitpid(m_pid, nullptr, 0);
        }
        if (m_terminal >= 0)
            ::close(m_terminal);
    }
    ChildProgram(const ChildProgram&) = delete;
    ChildProgram& operator=(const ChildProgram&) = delete;

    // Waits until `condition` holds; false where the child has ended before.
    template <typename Condition>
    bool waitUntil(Condition condition)
    {
        while (!condition()) {
            if (ended())
                return false;
            std::this_thread::sleep_for(std::chrono::microseconds(200));
        }
        return true;
    }

    // Whether the child has installed a handler for `signal`: it is at its long work.
    bool catches(int signal) const
    {
        std::ifstream status("/proc/" + std::to_string(m_pid) + "/status");
        for (std::string line; std::getline(status, line);)
            if (line.starts_with("SigCgt:"))
                return std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1;
        return false;
    }

    void send(int signal) const { ::kill(m_pid, signal); }

    // The exit code once the child has ended; 128 + signal where a signal killed it, as in a shell.
    int wait()
    {
        while (!ended())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return WIFEXITED(m_status) ? WEXITSTATUS(m_status) : 128 + WTERMSIG(m_status);
    }

    std::string out() const { return readFile(m_out); }
    // What went to standard error so far.
    std::string err()
    {
        if (m_terminal < 0)
            return readFile(m_err);
        for (pollfd ready{m_terminal, POLLIN, 0}; ::poll(&ready, 1, 0) == 1 && (ready.revents & POLLIN) != 0;) {
            char text[4096];
            const ssize_t size = ::read(m_terminal, text, sizeof text);
            if (size <= 0)
                break;
            m_shown.append(text, static_cast<std::size_t>(size));
        }
        return m_shown;
    }

private:
    bool ended()
    {
        if (!m_waited)
            m_waited = ::waitpid(m_pid, &m_status, WNOHANG) == m_pid;
        return m_waited;
    }

    std::string m_out, m_err, m_shown;
    int m_terminal = -1;
    pid_t m_pid = -1;
    int m_status = 0;
    bool m_waited = false;
};

}  // namespace overlane::test
