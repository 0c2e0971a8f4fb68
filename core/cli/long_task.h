// LongTask: draws the progress of a long piece of work on a terminal and makes Ctrl+C cancel it.
//
// Lives on the thread that does the work, one at a time; owns a watcher thread and, while it
// lives, the process's handlers of SIGINT and SIGTERM. Draws nothing where standard error is no
// terminal.
#pragma once

#include <atomic>
#include <csignal>
#include <string>
#include <thread>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

namespace overlane
{

class LongTask
{
public:
    enum class Drawing : bool { Never, OnTerminal };

    explicit LongTask(std::string label, Drawing drawing = Drawing::OnTerminal);
    ~LongTask();
    LongTask(const LongTask&) = delete;
    LongTask& operator=(const LongTask&) = delete;

    Progress& progress() { return m_progress; }

private:
    void watch() const;

    std::string m_label;
    Progress m_progress;
    std::atomic<bool> m_done = false;
    std::thread m_watcher;
    struct sigaction m_previousInterrupt = {};
    struct sigaction m_previousTermination = {};
};

// readTrace() as a LongTask.
Result<Trace> readWithProgress(const std::string& path, LongTask::Drawing drawing);

}  // namespace overlane
