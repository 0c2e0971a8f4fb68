// CallsInOrder: the events of a track that reach into a range, in order of start, outer ones first.
//
// Merges the rows of the track, each of which is sorted. Borrows the trace. One thread; nanoseconds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <tuple>
#include <vector>

#include <queue>

#include "core/base/interval.h"
#include "core/base/saturated.h"
#include "core/trace/trace.h"

namespace overlane
{

class CallsInOrder
{
public:
    CallsInOrder(const Trace& trace, const Track& track, Interval range) : m_trace(trace)
    {
        const auto before = [&](std::uint32_t at) { return endNs(at) <= range.startNs; };
        for (const EventRange row : track.rows) {
            std::uint32_t first = row.first;
            for (std::uint32_t left = row.size(); left > 0;) {
                const std::uint32_t half = left / 2;
                if (before(first + half)) {
                    first += half + 1;
                    left -= half + 1;
                } else {
                    left = half;
                }
            }
            const auto starts = trace.columns().startNs.begin();
            const auto last =
                static_cast<std::uint32_t>(std::lower_bound(starts + first, starts + row.last, range.endNs) - starts);
            m_left.push_back({first, last});
            push(m_left.size() - 1);
        }
    }

    std::optional<EventIndex> next()
    {
        if (m_heads.empty())
            return {};
        const std::size_t row = std::get<2>(m_heads.top());
        m_heads.pop();
        const EventIndex event(m_left[row].first++);
        push(row);
        return event;
    }

    std::int64_t endNs(std::uint32_t at) const
    {
        return saturatedSum(m_trace.columns().startNs[at], m_trace.columns().durationNs[at]);
    }

private:
    using Head = std::tuple<std::int64_t, std::int64_t, std::size_t>;  // start, end from the last, row

    void push(std::size_t row)
    {
        if (const EventRange left = m_left[row]; !left.empty())
            m_heads.emplace(m_trace.columns().startNs[left.first], -endNs(left.first), row);
    }

    const Trace& m_trace;
    std::vector<EventRange> m_left;  // of each row
    std::priority_queue<Head, std::vector<Head>, std::greater<>> m_heads;
};

}  // namespace overlane
