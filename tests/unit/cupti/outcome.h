// Runs a command and keeps what it printed and how it ended.
#pragma once

#include <array>
#include <cstdio>
#include <string>
#include <sys/wait.h>

namespace overlane::test
{

struct Outcome {
    std::string output;  // stdout and stderr
    int exitCode = -1;   // 128 + the signal's number where one ended it
};

inline Outcome runCommand(const std::string& command)
{
    Outcome outcome;
    FILE* pipe = popen((command + " 2>&1").c_str(), "r");
    if (pipe == nullptr)
        return outcome;
    std::array<char, 4096> buffer{};
    std::size_t got = 0;
    while ((got = fread(buffer.data(), 1, buffer.size(), pipe)) > 0)
        outcome.output.append(buffer.data(), got);
    const int status = pclose(pipe);
    outcome.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return outcome;
}

// The test program with the injection library: environment, then what it does (injected_program.cpp).
inline std::string injectedProgram(const std::string& environment, const std::string& actions = "")
{
    return "env " + environment + " " + OVERLANE_PLAIN_PROGRAM + " " + OVERLANE_INJECT_LIBRARY + " " + actions;
}

}  // namespace overlane::test
