#include "core/cli/long_task.h"

#include <chrono>
#include <csignal>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

#include "core/io/format.h"

namespace overlane
{
namespace
{

// What a signal handler may touch: lock-free atomics only.
std::atomic<Progress*> g_interruptible = nullptr;
static_assert(std::atomic<Progress*>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

void cancelOnSignal(int)
{
    if (Progress* progress = g_interruptible.load())
        progress->cancel();
}

}  // namespace

LongTask::LongTask(std::string label) : m_label(std::move(label))
{
    g_interruptible = &m_progress;
    m_previousHandler = std::signal(SIGINT, cancelOnSignal);
    if (isatty(STDERR_FILENO))
        m_watcher = std::thread([this] { watch(); });
}

LongTask::~LongTask()
{
    m_done = true;
    if (m_watcher.joinable())
        m_watcher.join();
    std::signal(SIGINT, m_previousHandler == SIG_ERR ? SIG_DFL : m_previousHandler);
    g_interruptible = nullptr;
}

void LongTask::watch() const
{
    using namespace std::chrono_literals;
    bool drawn = false;
    // Short work shows nothing at all.
    for (int ticks = 0; !m_done; ++ticks) {
        if (ticks >= 10) {
            fmt::print(stderr, "\r{} {:3.0f} % (Ctrl+C cancels)", m_label, m_progress.fraction() * 100);
            drawn = true;
        }
        std::this_thread::sleep_for(30ms);
    }
    if (drawn)
        fmt::print(stderr, "\r\x1b[K");
}

Result<Trace> readWithProgress(const std::string& path)
{
    LongTask reading("Reading");
    return readTrace(path, reading.progress());
}

}  // namespace overlane
