// LongTask: draws the progress of a long piece of work on a terminal and makes Ctrl+C cancel it.
//
// Lives on the thread that does the work, one at a time; owns a watcher thread and, while it
// lives, the process's handler of SIGINT. Draws nothing where standard error is no terminal.
#pragma once

#include <atomic>
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
    explicit LongTask(std::string label);
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
    void (*m_previousHandler)(int);
};

// readTrace() as a LongTask.
Result<Trace> readWithProgress(const std::string& path);

}  // namespace overlane
