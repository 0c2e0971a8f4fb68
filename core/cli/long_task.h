// LongTask: draws the progress of a long piece of work on a terminal and makes Ctrl+C cancel it.
//
// Lives on the thread that does the work; owns a watcher thread and, while it lives, the process's handlers
// of SIGINT and SIGTERM. Where one begins while another lives and ends before it, Ctrl+C cancels the inner one, and
// the outer one with it. Draws nothing where standard error is no
// terminal. Work that leaves nothing behind (Cancelling::MayExit) and does not answer a cancel
// within a second is ended with the process.
#pragma once

#include <condition_variable>
#include <csignal>
#include <mutex>
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
    enum class Cancelling : bool { MustAnswer, MayExit };

    LongTask(std::string label, Drawing drawing, Cancelling cancelling = Cancelling::MayExit);
    ~LongTask();
    LongTask(const LongTask&) = delete;
    LongTask& operator=(const LongTask&) = delete;

    Progress& progress() { return m_progress; }
    bool cancelled() const { return m_progress.cancelled(); }

private:
    static void cancelOnSignal(int number);
    void watch();

    std::string m_label;
    bool m_draws;
    Cancelling m_cancelling;
    Progress m_progress;
    LongTask* m_outer = nullptr;  // that was there before
    std::mutex m_mutex;
    std::condition_variable m_ended;
    bool m_done = false;  // under m_mutex
    std::thread m_watcher;
    struct sigaction m_previousInterrupt = {};
    struct sigaction m_previousTermination = {};
};

// readTrace() as a LongTask.
Result<Trace> readWithProgress(const std::string& path, LongTask::Drawing drawing);

}  // namespace overlane
