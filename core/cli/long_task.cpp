#include "core/cli/long_task.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

#include "core/cli/cli.h"
#include "core/io/format.h"

namespace overlane
{
namespace
{

// What a signal handler may touch: lock-free atomics only.
std::atomic<LongTask*> g_innermost = nullptr;
static_assert(std::atomic<LongTask*>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

}  // namespace

void LongTask::cancelOnSignal(int)
{
    for (LongTask* task = g_innermost.load(); task != nullptr; task = task->m_outer)
        task->m_progress.cancel();
}

LongTask::LongTask(std::string label, Drawing drawing, Cancelling cancelling)
    : m_label(std::move(label)),
      m_draws(drawing == Drawing::OnTerminal && isatty(STDERR_FILENO)),
      m_cancelling(cancelling)
{
    m_outer = g_innermost;
    g_innermost = this;
    struct sigaction handling = {};
    handling.sa_handler = cancelOnSignal;
    handling.sa_flags = SA_RESTART;  // a read that is under way goes on until the work looks up
    sigemptyset(&handling.sa_mask);
    sigaction(SIGINT, &handling, &m_previousInterrupt);
    sigaction(SIGTERM, &handling, &m_previousTermination);
    m_watcher = std::thread([this] { watch(); });
}

LongTask::~LongTask()
{
    {
        const std::lock_guard lock(m_mutex);
        m_done = true;
    }
    m_ended.notify_one();
    m_watcher.join();
    sigaction(SIGINT, &m_previousInterrupt, nullptr);
    sigaction(SIGTERM, &m_previousTermination, nullptr);
    g_innermost = m_outer;
}

void LongTask::watch()
{
    using namespace std::chrono_literals;
    constexpr int kShownAfterTicks = 10;  // short work shows nothing at all
    constexpr int kPatienceTicks = 33;
    bool drawn = false;
    int cancelledTicks = 0;
    std::unique_lock lock(m_mutex);
    for (int ticks = 0; !m_ended.wait_for(lock, 30ms, [this] { return m_done; }); ++ticks) {
        if (m_draws && ticks >= kShownAfterTicks) {
            const double fraction = m_progress.fraction();
            fmt::print(stderr, "\r{}{} (Ctrl+C cancels)", m_label,
                       fraction > 0 ? fmt::format(" {:3.0f} %", fraction * 100) : "");
            drawn = true;
        }
        if (cancelled() && m_cancelling == Cancelling::MayExit && ++cancelledTicks > kPatienceTicks) {
            fmt::print(stderr, "{}overlane: {}\n", drawn ? "\r\x1b[K" : "", Error::cancelled().message);
            std::_Exit(kExitCancelled);
        }
    }
    if (drawn)
        fmt::print(stderr, "\r\x1b[K");
}

Result<Trace> readWithProgress(const std::string& path, LongTask::Drawing drawing)
{
    LongTask reading("Reading", drawing);
    Result<Trace> trace = readTrace(path, reading.progress());
    // A cancel that came after the reader last looked counts all the same.
    return reading.cancelled() ? Result<Trace>(Error::cancelled()) : std::move(trace);
}

}  // namespace overlane
