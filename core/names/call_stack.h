// CallStack: which calls of one thread are open, as time goes on, and whose time it is.
//
// The innermost open call has the time; one whose path the tree has no place for gives it to its caller. Calls may end
// before those that they began in. Borrows the tree. One thread; nanoseconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/interval.h"
#include "core/names/call_tree_builder.h"

namespace overlane
{

class CallStack
{
public:
    CallStack(CallTreeBuilder& tree, std::uint32_t bottom, std::int64_t startNs)
        : m_tree(tree), m_bottom(bottom), m_nowNs(startNs)
    {
    }

    // At times that do not descend.
    void enter(std::uint32_t name, Interval call);
    // Gives the time until then to the calls that were open.
    void goTo(std::int64_t timeNs);

private:
    struct Open {
        std::int64_t endNs;
        std::uint32_t name;
        std::uint32_t node;  // its own, or that of the caller that has its time
        bool kept;
    };

    std::size_t soonestEnd() const;
    void place(std::size_t at);

    CallTreeBuilder& m_tree;
    std::uint32_t m_bottom;
    std::int64_t m_nowNs;
    std::vector<Open> m_open;  // in order of start
    bool m_crossed = false;    // ends may not be in order
};

}  // namespace overlane
