// EventQueue: what will happen at which virtual time, earliest first.
//
// Entries of the same time leave in the order they came, which makes a simulation deterministic.
// Owns nothing but small values. One thread; nanoseconds.
#pragma once

#include <algorithm>
#include <coroutine>
#include <cstdint>
#include <vector>

namespace overlane
{

struct TimedEvent {
    enum class Of : std::uint8_t { Gpu, Host };

    std::int64_t timeNs = 0;
    std::uint64_t order = 0;
    std::coroutine_handle<> resume;  // set: a coroutine goes on. Not set: work `index` of a model
    std::uint32_t index = 0;
    std::uint32_t generation = 0;
    Of model = Of::Gpu;
};

class EventQueue
{
public:
    bool empty() const { return m_heap.empty(); }
    std::int64_t nextTimeNs() const { return m_heap.front().timeNs; }

    void push(TimedEvent event)
    {
        event.order = m_nextOrder++;
        m_heap.push_back(event);
        std::push_heap(m_heap.begin(), m_heap.end(), later);
    }

    TimedEvent pop()
    {
        std::pop_heap(m_heap.begin(), m_heap.end(), later);
        const TimedEvent first = m_heap.back();
        m_heap.pop_back();
        return first;
    }

private:
    static bool later(const TimedEvent& a, const TimedEvent& b)
    {
        return a.timeNs != b.timeNs ? a.timeNs > b.timeNs : a.order > b.order;
    }

    std::vector<TimedEvent> m_heap;
    std::uint64_t m_nextOrder = 0;
};

}  // namespace overlane
