// "1 kernel", "1 204 kernels": a count and its noun, whose plural is made with an s. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/units.h"

namespace overlane
{

inline std::string counted(std::int64_t count, std::string_view noun)
{
    return formatCount(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}
// Where the plural is made in another way: "1 copy", "3 copies".
inline std::string counted(std::int64_t count, std::string_view one, std::string_view more)
{
    return formatCount(count) + " " + std::string(count == 1 ? one : more);
}

}  // namespace overlane
