// ChildProcess: a program started with its own arguments, directory and environment, on this
// program's terminal and in its process group, so that Ctrl+C reaches both; or in a group of its own, so
// that all it started can be ended with it.
//
// Does not end the child when destroyed. One thread. The child inherits what a program inherits from
// a shell, ignored signals (nohup) included.
#pragma once

#include <optional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace overlane
{

struct ProgramStart {
    std::vector<std::string> command;  // the first word is looked for in PATH
    std::string directory;             // empty: this process's
    // Set beside or instead of this process's; of a name that is there twice the last.
    std::vector<std::pair<std::string, std::string>> environment;
    int outputFile = -1;    // descriptor for standard output and error; -1: this process's
    int errorFile = -1;     // for standard error, where it goes elsewhere
    int inputFile = -1;     // for standard input; -1: this process's
    bool ownGroup = false;  // of processes, with nothing to read: see signalGroup()
    // The signals of a terminal's keys are blocked: for one that reads passwords there, and that Ctrl+C must not end.
    bool deafToKeys = false;
};

struct ProgramEnd {
    int exitCode = 0;
    int signal = 0;  // that ended it; 0 = it exited by itself
};

class ChildProcess
{
public:
    // The Error names the program and the reason.
    static Result<ChildProcess> start(const ProgramStart& start);

    pid_t pid() const { return m_pid; }
    // How it ended; none while it runs.
    std::optional<ProgramEnd> poll();
    ProgramEnd wait();
    // Does nothing once it has ended.
    void signal(int number);
    // Whether it ended, with its number kept from others until poll() or wait().
    bool hasEnded() const;
    // To the child and what it started in its group. Only for one with a group of its own, before its end is taken
    // by poll() or wait().
    void signalGroup(int number) const;

private:
    explicit ChildProcess(pid_t pid) : m_pid(pid) {}
    std::optional<ProgramEnd> reap(int options);

    pid_t m_pid;
    std::optional<ProgramEnd> m_end;
};

}  // namespace overlane
