#include "core/names/call_stack.h"

#include <algorithm>
#include <optional>

namespace overlane
{

void CallStack::enter(std::uint32_t name, Interval call)
{
    goTo(call.startNs);
    if (m_open.size() >= CallTree::kMostDepth)
        return m_tree.leaveOut(1);
    m_crossed = m_crossed || (!m_open.empty() && call.endNs > m_open.back().endNs);
    m_open.push_back({call.endNs, name, m_bottom, false});
    place(m_open.size() - 1);
    if (m_open.back().kept)
        m_tree.count(m_open.back().node);
    else
        m_tree.leaveOut(1);
}

void CallStack::goTo(std::int64_t timeNs)
{
    while (!m_open.empty()) {
        const std::size_t soonest = soonestEnd();
        const std::int64_t untilNs = std::min(m_open[soonest].endNs, timeNs);
        m_tree.give(m_open.back().node, untilNs - m_nowNs);
        m_nowNs = untilNs;
        if (m_open[soonest].endNs > timeNs)
            return;
        m_open.erase(m_open.begin() + static_cast<std::ptrdiff_t>(soonest));
        for (std::size_t at = soonest; at < m_open.size(); ++at)
            place(at);
    }
    m_crossed = false;
    m_nowNs = timeNs;
}

std::size_t CallStack::soonestEnd() const
{
    std::size_t soonest = m_open.size() - 1;
    for (std::size_t at = soonest; m_crossed && at-- > 0;)
        if (m_open[at].endNs < m_open[soonest].endNs)
            soonest = at;
    return soonest;
}

void CallStack::place(std::size_t at)
{
    const std::uint32_t caller = at > 0 ? m_open[at - 1].node : m_bottom;
    const auto node = at == 0 || m_open[at - 1].kept ? m_tree.child(caller, m_open[at].name) : std::nullopt;
    m_open[at].node = node.value_or(caller);
    m_open[at].kept = node.has_value();
}

}  // namespace overlane
