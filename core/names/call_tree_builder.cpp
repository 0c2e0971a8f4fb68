#include "core/names/call_tree_builder.h"

#include <algorithm>
#include <tuple>

namespace overlane
{

CallTree CallTreeBuilder::take()
{
    m_children = {};
    std::vector<std::vector<std::uint32_t>> below(m_nodes.size());
    for (auto node = static_cast<std::uint32_t>(m_nodes.size()); node-- > 0;) {
        m_work.count();
        CallTree::Node& own = m_nodes[node];
        own.totalNs = saturatedSum(own.totalNs, own.selfNs);
        if (node == kRoot)
            break;
        CallTree::Node& parent = m_nodes[own.parent];
        parent.totalNs = saturatedSum(parent.totalNs, own.totalNs);
        if (m_tree.m_fromCallsUp && own.parent != kRoot)
            parent.count += own.count;
        if (own.totalNs > 0)
            below[own.parent].push_back(node);
    }
    std::vector<CallTree::Node> nodes;
    nodes.reserve(m_nodes.size());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> waiting{{kRoot, 0}};  // with the place of the parent
    while (!waiting.empty()) {
        m_work.count();
        const auto [from, parent] = waiting.back();
        waiting.pop_back();
        const auto place = static_cast<std::uint32_t>(nodes.size());
        nodes.push_back(m_nodes[from]);
        nodes.back().parent = parent;
        m_tree.m_depth = std::max(m_tree.m_depth, nodes.back().depth);
        // The last that waits is the next: least time first, and of equals the first seen last.
        std::sort(below[from].begin(), below[from].end(), m_work.counting([&](std::uint32_t a, std::uint32_t b) {
            return std::tuple(m_nodes[a].totalNs, b) < std::tuple(m_nodes[b].totalNs, a);
        }));
        for (const std::uint32_t each : below[from])
            waiting.emplace_back(each, place);
    }
    for (std::uint32_t node = 0; node < nodes.size(); ++node)
        nodes[node].last = node + 1;
    for (auto node = static_cast<std::uint32_t>(nodes.size()); node-- > 1;)
        nodes[nodes[node].parent].last = std::max(nodes[nodes[node].parent].last, nodes[node].last);
    m_tree.m_nodes = std::move(nodes);
    return std::move(m_tree);
}

}  // namespace overlane
