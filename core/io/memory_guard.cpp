#include "core/io/memory_guard.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/base/units.h"
#include "core/system/available_memory.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kAlwaysTried = 1'000'000;
constexpr std::int64_t kIdLimit = 0xFFFF'FFF0;

}  // namespace

// A quarter is left to the rest of this program and of the machine.
MemoryGuard::MemoryGuard(std::int64_t availableBytes)
    : m_mostEvents(
          static_cast<std::size_t>(std::clamp(availableBytes / 4 * 3 / kBytesPerEvent, kAlwaysTried, kIdLimit)))
{
}

std::int64_t MemoryGuard::freeNow()
{
    return availableMemoryBytes();
}

Error MemoryGuard::tooMany(const std::string& name) const
{
    return Error{
        fmt::format("{} holds more than {} events, too many for the memory that is free here; close other "
                    "programs, raise the limit of the container or job, or record a shorter time.",
                    name, formatCount(static_cast<std::int64_t>(m_mostEvents)))};
}

}  // namespace overlane
