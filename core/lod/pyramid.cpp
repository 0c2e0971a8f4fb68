#include "core/lod/pyramid.h"

#include <algorithm>

namespace overlane
{

Pyramid::Pyramid(const Trace& trace) : m_trace(&trace)
{
    const auto& durations = trace.columns().durationNs;
    const auto count = static_cast<std::uint32_t>(durations.size());
    if (count < kBranching)
        return;
    std::vector<Node> level((count + kBranching - 1) / kBranching);
    for (std::uint32_t i = 0; i < count; ++i) {
        Node& node = level[i / kBranching];
        if (i % kBranching == 0 || durations[i] > durations[node.longest])
            node.longest = i;
        node.busyNs += durations[i];
    }
    m_levels.push_back(std::move(level));
    while (m_levels.back().size() > kBranching) {
        const std::vector<Node>& below = m_levels.back();
        std::vector<Node> above((below.size() + kBranching - 1) / kBranching);
        for (std::size_t i = 0; i < below.size(); ++i) {
            Node& node = above[i / kBranching];
            if (i % kBranching == 0 || durations[below[i].longest] > durations[node.longest])
                node.longest = below[i].longest;
            node.busyNs += below[i].busyNs;
        }
        m_levels.push_back(std::move(above));
    }
}

void Pyramid::addEvents(std::uint32_t first, std::uint32_t last, Summary& sum, std::int64_t& longestNs) const
{
    const auto& durations = m_trace->columns().durationNs;
    for (std::uint32_t i = first; i < last; ++i) {
        sum.busyNs += durations[i];
        if (durations[i] > longestNs) {
            longestNs = durations[i];
            sum.longest = EventIndex(i);
        }
    }
}

Pyramid::Summary Pyramid::summary(EventRange range) const
{
    Summary sum;
    std::int64_t longestNs = -1;
    std::uint32_t first = range.first;
    const auto last = std::min(range.last, static_cast<std::uint32_t>(m_trace->eventCount()));
    const auto& durations = m_trace->columns().durationNs;
    // Climb to the widest node that starts here and fits, take it, go on behind it.
    while (first < last) {
        std::size_t level = 0;
        std::uint32_t width = kBranching;
        if (first % width != 0 || last - first < width) {
            const std::uint32_t border = std::min(last, (first / width + 1) * width);
            addEvents(first, border, sum, longestNs);
            first = border;
            continue;
        }
        while (level + 1 < m_levels.size() && first % (width * kBranching) == 0 && last - first >= width * kBranching) {
            ++level;
            width *= kBranching;
        }
        const Node& node = m_levels[level][first / width];
        sum.busyNs += node.busyNs;
        if (durations[node.longest] > longestNs) {
            longestNs = durations[node.longest];
            sum.longest = EventIndex(node.longest);
        }
        first += width;
    }
    return sum;
}

std::size_t Pyramid::bytes() const
{
    std::size_t total = 0;
    for (const auto& level : m_levels)
        total += level.capacity() * sizeof(Node);
    return total;
}

}  // namespace overlane
