// Whether a text has a part, as std::string_view::contains() of C++23.
#pragma once

#include <string_view>

namespace overlane
{

constexpr bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

}  // namespace overlane
