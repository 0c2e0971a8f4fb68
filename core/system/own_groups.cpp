#include "core/system/own_groups.h"

#include <algorithm>
#include <fstream>
#include <optional>

#include "core/system/cgroup.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

// Below the root of the hierarchy; empty where it is not told.
std::string ownPath(std::string_view controller, const std::string& root, int version)
{
    const std::string listed = ',' + std::string(controller) + ',';
    std::ifstream file(root + "proc/self/cgroup");
    for (std::string line; std::getline(file, line);) {  // "4:memory:/jobs/7", "0::/jobs/7"
        const std::size_t first = line.find(':');
        const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos)
            continue;
        const std::string controllers = ',' + line.substr(first + 1, second - first - 1) + ',';
        if (version == 2 ? line.starts_with("0::") : controllers.find(listed) != std::string::npos)
            return line.substr(std::min(second + 2, line.size()));  // without the first slash
    }
    return {};
}

}  // namespace

OwnGroups ownGroups(std::string_view controller, const std::string& root)
{
    OwnGroups groups;
    const std::optional<CgroupHierarchy> hierarchy = mountedHierarchy(controller, root);
    if (!hierarchy)
        return groups;
    groups.version = hierarchy->version;
    const fs::path top(hierarchy->folder);
    fs::path group = top / ownPath(controller, root, groups.version);
    std::error_code unknown;
    if (!fs::is_directory(group, unknown))
        group = top;
    for (;; group = group.parent_path()) {
        groups.folders.push_back(group);
        if (group == top || !group.has_relative_path())
            return groups;
    }
}

}  // namespace overlane
