// The control groups around this process: its own and those above it, as far as it sees them.
//
// cgroups(7): /proc/self/cgroup names the group, /proc/self/mounts where the hierarchy is mounted. A container may see
// its own group as the top and still be told the path that its host knows; then the top is the group. Any thread.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace overlane
{

struct OwnGroups {
    int version = 2;                             // of the interface
    std::vector<std::filesystem::path> folders;  // innermost first; empty where the controller counts by no group
};
// Of a controller ("memory", "cpu"). Another root than / only for tests.
OwnGroups ownGroups(std::string_view controller, const std::string& root = "/");

}  // namespace overlane
