// Lays overlapping intervals out on rows so that the intervals of a row are disjoint.
//
// Each interval takes the topmost row that is free at its start, which puts nested calls below
// their parents and keeps a sequence on row 0. Cost O(n log rows). One thread; nanoseconds.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <queue>

namespace overlane
{

class RowLayout
{
public:
    // The row of the next interval; starts must not descend between calls.
    std::uint32_t place(std::int64_t startNs, std::int64_t endNs)
    {
        while (!m_busy.empty() && m_busy.top().first <= startNs) {
            m_free.push(m_busy.top().second);
            m_busy.pop();
        }
        std::uint32_t row = m_rowCount;
        if (m_free.empty()) {
            ++m_rowCount;
        } else {
            row = m_free.top();
            m_free.pop();
        }
        m_busy.emplace(endNs, row);
        return row;
    }
    std::uint32_t rowCount() const { return m_rowCount; }

private:
    template <typename T>
    using MinHeap = std::priority_queue<T, std::vector<T>, std::greater<>>;

    MinHeap<std::pair<std::int64_t, std::uint32_t>> m_busy;  // (end, row)
    MinHeap<std::uint32_t> m_free;
    std::uint32_t m_rowCount = 0;
};

}  // namespace overlane
