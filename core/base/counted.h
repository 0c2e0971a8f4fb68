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

}  // namespace overlane
