#include "core/lod/pyramid.h"

#include <algorithm>

#include "core/lod/cache_hint.h"
#include "core/lod/group_search.h"

namespace overlane
{

static_assert(Pyramid::kBranching == kSearchGroup, "firstInGroups() searches in the first level");

MemorySet memorySet(const Trace& trace, EventIndex event)
{
    const CopyInfo* copy = trace.copy(event);
    if (copy == nullptr)
        return 0;
    if (trace.kind(event) == EventKind::CopyD2D)
        return kLockedMemory;
    switch (copy->hostSide(trace.kind(event))) {
        case MemoryKind::Pageable:
            return kPageableMemory;
        case MemoryKind::Managed:
            return kManagedMemory;
        case MemoryKind::Unknown:
            return kUnknownMemory;
        case MemoryKind::Pinned:
        case MemoryKind::Device:
        case MemoryKind::Array:
            break;
    }
    return kLockedMemory;
}

void Pyramid::findCopies()
{
    const auto& kinds = m_trace->columns().kind;
    const auto first = std::find_if(kinds.begin(), kinds.end(), isCopy);
    const auto last = std::find_if(kinds.rbegin(), std::make_reverse_iterator(first), isCopy).base();
    m_firstCopy = static_cast<std::uint32_t>(first - kinds.begin());
    m_memory.reserve(static_cast<std::size_t>(last - first));
    for (auto kind = first; kind != last; ++kind)
        m_memory.push_back(isCopy(*kind) ? memorySet(*m_trace, EventIndex(m_firstCopy + m_memory.size()))
                                         : MemorySet{0});
    for (const MemorySet memory : m_memory)
        m_copiesMemory |= memory;
}

Pyramid::Pyramid(const Trace& trace) : m_trace(&trace)
{
    static_assert(kEventKindCount <= 32, "a bit for each kind");
    for (const EventKind kind : trace.columns().kind)
        m_kinds |= 1U << static_cast<unsigned>(kind);
    findCopies();
    const auto& durations = trace.columns().durationNs;
    const auto count = static_cast<std::uint32_t>(durations.size());
    m_startNs.reserve((count + kBranching - 1) / kBranching);
    for (std::uint32_t i = 0; i < count; i += kBranching)
        m_startNs.push_back(trace.columns().startNs[i]);
    if (count < kBranching)
        return;
    std::vector<Node> level((count + kBranching - 1) / kBranching);
    for (std::uint32_t i = 0; i < count; ++i) {
        Node& node = level[i / kBranching];
        if (durations[i] > node.longestNs) {
            node.longestNs = durations[i];
            node.longest = i;
            node.kind = trace.columns().kind[i];
        }
        node.busyNs += durations[i];
        node.memory |= memory(i);
    }
    m_levels.push_back(std::move(level));
    while (m_levels.back().size() > kBranching) {
        const std::vector<Node>& below = m_levels.back();
        std::vector<Node> above((below.size() + kBranching - 1) / kBranching);
        for (std::size_t i = 0; i < below.size(); ++i) {
            Node& node = above[i / kBranching];
            if (below[i].longestNs > node.longestNs) {
                node.longestNs = below[i].longestNs;
                node.longest = below[i].longest;
                node.kind = below[i].kind;
            }
            node.busyNs += below[i].busyNs;
            node.memory |= below[i].memory;
        }
        m_levels.push_back(std::move(above));
    }
}

void Pyramid::addEvents(std::uint32_t first, std::uint32_t last, Summary& sum) const
{
    const auto& durations = m_trace->columns().durationNs;
    for (std::uint32_t i = first; i < last; ++i) {
        sum.busyNs += durations[i];
        sum.memory |= memory(i);
        if (durations[i] > sum.longestNs) {
            sum.longestNs = durations[i];
            sum.longest = EventIndex(i);
            sum.kind = m_trace->columns().kind[i];
        }
    }
}

Pyramid::Summary Pyramid::summary(EventRange range) const
{
    Summary sum;
    std::uint32_t first = range.first;
    const auto last = std::min(range.last, static_cast<std::uint32_t>(m_trace->eventCount()));
    // Climb to the widest node that starts here and fits, take it, go on behind it.
    while (first < last) {
        std::size_t level = 0;
        std::uint32_t width = kBranching;
        if (first % width != 0 || last - first < width) {
            const std::uint32_t border = std::min(last, (first / width + 1) * width);
            addEvents(first, border, sum);
            first = border;
            continue;
        }
        while (level + 1 < m_levels.size() && first % (width * kBranching) == 0 && last - first >= width * kBranching) {
            ++level;
            width *= kBranching;
        }
        const Node& node = m_levels[level][first / width];
        sum.busyNs += node.busyNs;
        sum.memory |= node.memory;
        if (node.longestNs > sum.longestNs) {
            sum.longestNs = node.longestNs;
            sum.longest = EventIndex(node.longest);
            sum.kind = node.kind;
        }
        first += width;
    }
    return sum;
}

std::uint32_t Pyramid::firstFrom(std::uint32_t first, std::uint32_t last, std::int64_t timeNs,
                                 std::int64_t slackNs) const
{
    std::size_t looked = 0;
    return firstInGroups(m_startNs, m_trace->columns().startNs, first, last, timeNs, slackNs, looked);
}

void Pyramid::hintCache(std::uint32_t index) const
{
    const std::size_t group = index / kBranching;
    overlane::hintCache(m_startNs, group);
    overlane::hintCache(m_trace->columns().startNs, group * kBranching, kBranching);
    overlane::hintCache(m_trace->columns().durationNs, group * kBranching, kBranching);
    if (!m_levels.empty())
        overlane::hintCache(m_levels.front(), group - group % kBranching, kBranching);
}

std::size_t Pyramid::bytes() const
{
    std::size_t total = m_startNs.capacity() * sizeof(std::int64_t) + m_memory.capacity() * sizeof(MemorySet);
    for (const auto& level : m_levels)
        total += level.capacity() * sizeof(Node);
    return total;
}

}  // namespace overlane
