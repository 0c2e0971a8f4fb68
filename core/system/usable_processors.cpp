#include "core/system/usable_processors.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sched.h>
#include <thread>

#include "core/system/own_groups.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

std::int64_t allowedProcessors()
{
    cpu_set_t usable;
    if (sched_getaffinity(0, sizeof(usable), &usable) == 0)
        return CPU_COUNT(&usable);
    return std::max(1U, std::thread::hardware_concurrency());  // more than a cpu_set_t holds
}

// None for "max", -1, and a file that is not there.
std::optional<double> quotaOf(const fs::path& group, int version)
{
    double quota = 0, period = 0;
    if (version == 2)
        std::ifstream(group / "cpu.max") >> quota >> period;
    else if (std::ifstream(group / "cpu.cfs_quota_us") >> quota)
        std::ifstream(group / "cpu.cfs_period_us") >> period;
    return quota > 0 && period > 0 ? std::optional(quota / period) : std::nullopt;
}

}  // namespace

std::optional<double> processorQuota(const std::string& root)
{
    std::optional<double> least;
    const OwnGroups groups = ownGroups("cpu", root);
    for (const fs::path& group : groups.folders)
        if (const std::optional<double> quota = quotaOf(group, groups.version))
            least = std::min(least.value_or(*quota), *quota);
    return least;
}

std::int64_t usableProcessors(const std::string& root)
{
    const std::int64_t allowed = allowedProcessors();
    const std::optional<double> quota = processorQuota(root);
    if (!quota || *quota >= static_cast<double>(allowed))
        return allowed;
    return std::max<std::int64_t>(std::llround(*quota), 1);
}

}  // namespace overlane
