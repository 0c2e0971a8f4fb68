// MemoryGroup: a control group of this program's own with a limit on memory and on swap.
//
// Both versions of the interface: cgroup v2 (Documentation/admin-guide/cgroup-v2.rst: memory.max,
// memory.swap.max, memory.stat, memory.pressure, cgroup.kill) and v1 (cgroup-v1/memory.rst:
// memory.limit_in_bytes, memory.memsw.limit_in_bytes). The group lies at the top of the hierarchy
// that this process sees, so no other group is changed. Does not remove the group when destroyed: a
// program that fails leaves it behind, so removing is a function of the name alone. One thread at a time. Bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "core/base/result.h"

namespace overlane
{

struct CgroupHierarchy {
    int version = 2;
    std::string folder;  // where groups of the controller are made
};
// From /proc/self/mounts; the Error says why no group can be limited here. Another root than / only
// for tests; `folder` then begins with it.
Result<CgroupHierarchy> findMemoryHierarchy(const std::string& root = "/");
// Where the groups of a controller ("memory", "cpu") are mounted, whether or not any can be made; none where nothing
// counts by group.
std::optional<CgroupHierarchy> mountedHierarchy(std::string_view controller, const std::string& root = "/");

struct MemoryGroupUsage {
    std::int64_t usedBytes = 0;  // processes' memory, page cache and what the kernel keeps for them
    std::int64_t processBytes = 0;
    std::int64_t pageCacheBytes = 0;
    std::int64_t lockedBytes = 0;  // cannot be dropped or swapped
    std::int64_t swapBytes = 0;
    std::int64_t majorFaults = 0;     // since the group was made
    std::int64_t refaultedPages = 0;  // of files and processes: dropped or swapped, then needed again
    std::int64_t killed = 0;          // processes that the limit ended
    double pressurePercent = -1;      // of the last ten seconds; -1: only v2 tells, for a group
};
MemoryGroupUsage parseUsageV1(const std::string& stat, std::int64_t usedBytes, const std::string& oomControl);
MemoryGroupUsage parseUsageV2(const std::string& stat, std::int64_t usedBytes, std::int64_t swapBytes,
                              const std::string& events, const std::string& pressure);

class MemoryGroup
{
public:
    struct Limits {
        std::int64_t memoryBytes = 0;
        std::int64_t swapBytes = 0;
    };
    static Result<MemoryGroup> create(const CgroupHierarchy& hierarchy, const std::string& name, Limits limits);

    const std::string& folder() const { return m_folder; }
    Result<void> add(pid_t process) const;
    MemoryGroupUsage read() const;

private:
    MemoryGroup(int version, std::string folder) : m_version(version), m_folder(std::move(folder)) {}

    int m_version;
    std::string m_folder;
};

// Ends what runs in the group and removes it; blocks until it is gone, at most some seconds. Nothing
// to do where there is no such group.
Result<void> removeMemoryGroup(const CgroupHierarchy& hierarchy, const std::string& name);
// Names of groups that begin so.
std::vector<std::string> memoryGroupNames(const CgroupHierarchy& hierarchy, const std::string& beginning);

}  // namespace overlane
