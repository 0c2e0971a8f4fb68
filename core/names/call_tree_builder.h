// CallTreeBuilder: a call tree while its paths are found; callers come before what they call.
//
// Owns the tree until take(). One thread. Nanoseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/saturated.h"
#include "core/base/work_meter.h"
#include "core/names/call_tree.h"

namespace overlane
{

class CallTreeBuilder
{
public:
    static constexpr std::uint32_t kRoot = 0;

    explicit CallTreeBuilder(const WorkMeter& work) : m_work(work) {}

    std::uint32_t addName(std::string name)
    {
        m_tree.m_names.push_back(std::move(name));
        return static_cast<std::uint32_t>(m_tree.m_names.size() - 1);
    }
    void turnAround(const CallTree& other)
    {
        m_tree.m_names = other.m_names;
        m_tree.m_leftOut = other.m_leftOut;
        m_tree.m_fromCallsUp = !other.m_fromCallsUp;
    }
    void leaveOut(std::int64_t calls) { m_tree.m_leftOut += calls; }

    // None where there are too many paths.
    std::optional<std::uint32_t> child(std::uint32_t parent, std::uint32_t name)
    {
        const std::uint64_t key = (std::uint64_t{parent} << 32) | name;
        const auto found = m_children.find(key);
        if (found != m_children.end())
            return found->second;
        if (m_nodes.size() >= CallTree::kMostNodes)
            return {};
        const auto node = static_cast<std::uint32_t>(m_nodes.size());
        m_nodes.push_back({.parent = parent, .name = name, .depth = m_nodes[parent].depth + 1});
        m_children.emplace(key, node);
        return node;
    }
    void give(std::uint32_t node, std::int64_t ns) { m_nodes[node].selfNs = saturatedSum(m_nodes[node].selfNs, ns); }
    void count(std::uint32_t node, std::int64_t events = 1) { m_nodes[node].count += events; }

    // What was built, in the order of a walk; only once.
    CallTree take();

private:
    const WorkMeter& m_work;
    CallTree m_tree;
    std::vector<CallTree::Node> m_nodes{CallTree::Node{}};
    std::unordered_map<std::uint64_t, std::uint32_t> m_children;  // by parent and name
};

}  // namespace overlane
