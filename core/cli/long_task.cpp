#include "core/cli/long_task.h"

#include <chrono>
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

LongTask::LongTask(std::string label, Drawing drawing) : m_label(std::move(label))
{
    g_interruptible = &m_progress;
    struct sigaction cancelling = {};
    cancelling.sa_handler = cancelOnSignal;
    cancelling.sa_flags = SA_RESTART;  // a read that is under way goes on until the work looks up
    sigemptyset(&cancelling.sa_mask);
    sigaction(SIGINT, &cancelling, &m_previousInterrupt);
    sigaction(SIGTERM, &cancelling, &m_previousTermination);
    if (drawing == Drawing::OnTerminal && isatty(STDERR_FILENO))
        m_watcher = std::thread([this] { watch(); });
}

LongTask::~LongTask()
{
    m_done = true;
    if (m_watcher.joinable())
        m_watcher.join();
    sigaction(SIGINT, &m_previousInterrupt, nullptr);
    sigaction(SIGTERM, &m_previousTermination, nullptr);
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

Result<Trace> readWithProgress(const std::string& path, LongTask::Drawing drawing)
{
    LongTask reading("Reading", drawing);
    return readTrace(path, reading.progress());
}

}  // namespace overlane
