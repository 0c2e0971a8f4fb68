// Tables with a row for each enumerator of an enum, so that the enumerator is the index of its row. Any thread.
#pragma once

#include <cstddef>

namespace overlane
{

// For a static_assert: each row stands where its enumerator, a member of it, says.
template <typename Rows, typename Row, typename Enum>
constexpr bool standInOrder(const Rows& rows, Enum Row::*member)
{
    for (std::size_t at = 0; at < rows.size(); ++at)
        if (static_cast<std::size_t>(rows[at].*member) != at)
            return false;
    return true;
}

}  // namespace overlane
