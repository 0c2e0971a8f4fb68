#include "core/host/available_memory.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>

#include "core/host/cgroup.h"
#include "core/host/memory_status.h"
#include "core/host/proc_text.h"

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

// The group of this process below the root of the hierarchy; empty where it is not told.
std::string ownGroup(const std::string& root, int version)
{
    std::ifstream file(root + "proc/self/cgroup");
    for (std::string line; std::getline(file, line);) {  // "4:memory:/jobs/7", "0::/jobs/7"
        const std::size_t first = line.find(':');
        const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos)
            continue;
        const std::string controllers = ',' + line.substr(first + 1, second - first - 1) + ',';
        if (version == 2 ? line.starts_with("0::") : controllers.find(",memory,") != std::string::npos)
            return line.substr(std::min(second + 2, line.size()));  // without the first slash
    }
    return {};
}

}  // namespace

std::int64_t availableMemoryBytes(const std::string& root)
{
    const std::int64_t ofMachine = parseMachineMemory(textOfFile(root + "proc/meminfo")).availableBytes;
    std::int64_t available = ofMachine > 0 ? ofMachine : kUnlimited;
    const std::optional<CgroupHierarchy> hierarchy = mountedMemoryHierarchy(root);
    if (!hierarchy)
        return available;
    const fs::path top(hierarchy->folder);
    fs::path group = top / ownGroup(root, hierarchy->version);
    std::error_code unknown;
    // A container may see its own group as the top and still be told the path that its host knows.
    if (!fs::is_directory(group, unknown))
        group = top;
    for (;; group = group.parent_path()) {
        available = std::min(available, leftInGroup(group, hierarchy->version));
        if (group == top || !group.has_relative_path())
            return available;
    }
}

}  // namespace overlane
