#include "core/system/available_memory.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <optional>

#include "core/base/text_file.h"
#include "core/system/memory_status.h"
#include "core/system/own_groups.h"
#include "core/system/proc_text.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

// None for "max", and for a file that is not there.
std::optional<std::int64_t> numberOf(const fs::path& path)
{
    const std::string text = textOfFile(path);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} ? std::optional(number) : std::nullopt;
}

// What is left of a group's own limit.
std::int64_t leftInGroup(const fs::path& group, int version)
{
    const auto limit = numberOf(group / (version == 2 ? "memory.max" : "memory.limit_in_bytes"));
    const auto used = numberOf(group / (version == 2 ? "memory.current" : "memory.usage_in_bytes"));
    if (!limit || !used)
        return kUnlimited;
    const std::int64_t cache =
        numberAfter(textOfFile(group / "memory.stat"), version == 2 ? "inactive_file" : "total_inactive_file")
            .value_or(0);
    return std::max<std::int64_t>(*limit - *used + std::clamp<std::int64_t>(cache, 0, *used), 0);
}

}  // namespace

std::int64_t availableMemoryBytes(const std::string& root)
{
    const std::int64_t ofMachine = parseMachineMemory(textOfFile(root + "proc/meminfo")).availableBytes;
    std::int64_t available = ofMachine > 0 ? ofMachine : kUnlimited;
    const OwnGroups groups = ownGroups("memory", root);
    for (const fs::path& group : groups.folders)
        available = std::min(available, leftInGroup(group, groups.version));
    return available;
}

}  // namespace overlane
