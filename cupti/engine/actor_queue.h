// ActorQueue: an unbounded first-in first-out queue between the threads of a run.
//
// Any thread. wait() also ends when stop() is called, which every queue hears when a run fails or
// is cancelled.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>

#include "core/engine/operation.h"

namespace overlane
{

class ActorQueue
{
public:
    // Values in the queue afterwards.
    std::size_t put(std::int64_t value)
    {
        std::size_t filled = 0;
        {
            const std::lock_guard lock(m_mutex);
            m_values.push_back(value);
            filled = m_values.size();
        }
        m_changed.notify_one();
        return filled;
    }

    // The next value, or kQueueClosed once the queue is closed and empty; none after stop().
    std::optional<std::int64_t> wait()
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_stopped || m_closed || !m_values.empty(); });
        if (m_stopped)
            return std::nullopt;
        if (m_values.empty())
            return kQueueClosed;
        const std::int64_t value = m_values.front();
        m_values.pop_front();
        return value;
    }

    std::size_t size() const
    {
        const std::lock_guard lock(m_mutex);
        return m_values.size();
    }
    void close()
    {
        const std::lock_guard lock(m_mutex);
        m_closed = true;
        m_changed.notify_all();
    }
    void stop()
    {
        const std::lock_guard lock(m_mutex);
        m_stopped = true;
        m_changed.notify_all();
    }

private:
    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<std::int64_t> m_values;
    bool m_closed = false;
    bool m_stopped = false;
};

}  // namespace overlane
