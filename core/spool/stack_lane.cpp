#include "core/spool/stack_lane.h"

#include <algorithm>

namespace overlane
{

bool StackNodes::contains(std::uint32_t node) const
{
    return node < m_nodes.size() && m_nodes[node].id == node;
}

bool StackNodes::add(const spool::StackNode& node)
{
    const bool isOutermost = node.parent == spool::kNone;
    if (node.id >= kMostNodes || contains(node.id) || (!isOutermost && !contains(node.parent)))
        return false;
    const std::size_t depth = isOutermost ? 0 : std::size_t{m_depths[node.parent]} + 1;
    if (depth >= kDeepest)
        return false;
    if (node.id >= m_nodes.size()) {
        m_nodes.resize(node.id + std::size_t{1}, spool::StackNode{.id = spool::kNone});
        m_depths.resize(m_nodes.size());
    }
    m_nodes[node.id] = node;
    m_depths[node.id] = static_cast<std::uint16_t>(depth);
    return true;
}

std::span<const std::uint32_t> StackNodes::path(std::uint32_t node) const
{
    m_path.clear();
    for (; node != spool::kNone; node = m_nodes[node].parent)
        m_path.push_back(node);
    std::reverse(m_path.begin(), m_path.end());
    return m_path;
}

void StackLane::add(const StackNodes& nodes, const spool::StackSample& sample, const Emit& emit)
{
    const std::int64_t startNs = std::max(sample.startNs, m_lastNs);
    if (sample.endNs < startNs || !nodes.contains(sample.node))
        return;
    if (startNs - m_lastNs > kFarApartNs)
        close(0, m_lastNs, emit);
    const std::span<const std::uint32_t> path = nodes.path(sample.node);
    std::size_t same = 0;
    while (same + 1 < m_open.size() && same + 1 < path.size() && m_open[same].node == path[same])
        ++same;
    close(same, startNs, emit);
    for (std::size_t depth = same; depth < path.size(); ++depth)
        m_open.push_back({path[depth], startNs});
    m_lastNs = sample.endNs;
}

void StackLane::close(std::size_t depth, std::int64_t endNs, const Emit& emit)
{
    // Callers first: of events that are as long as each other the first one lies on top.
    for (std::size_t at = depth; at < m_open.size(); ++at)
        emit(m_open[at].node, m_open[at].startNs, endNs);
    m_open.resize(std::min(depth, m_open.size()));
}

void StackLane::end(const Emit& emit)
{
    close(0, m_lastNs, emit);
}

}  // namespace overlane
