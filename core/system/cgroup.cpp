#include "core/system/cgroup.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <unistd.h>

#include "core/base/text_file.h"
#include "core/system/memory_status.h"
#include "core/system/proc_text.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

constexpr int kRemovals = 100;
constexpr auto kBetweenRemovals = std::chrono::milliseconds(50);

std::int64_t numberOf(const std::string& path)
{
    std::ifstream file(path);
    std::int64_t number = 0;
    return file >> number ? number : 0;
}

Result<void> write(const std::string& path, const std::string& text)
{
    std::ofstream file(path);
    file << text << std::flush;
    if (!file.good())
        return Error{"'" + text + "' could not be written to " + path + " (" + std::strerror(errno) + ")."};
    return {};
}

bool hasWord(const std::string& text, std::string_view word)
{
    std::istringstream words(text);
    for (std::string one; words >> one;)
        if (one == word)
            return true;
    return false;
}

bool exists(const std::string& path)
{
    return access(path.c_str(), F_OK) == 0;
}

// "device folder type options ..." in a line of /proc/self/mounts.
struct Mount {
    std::string folder, type, options;
};

std::vector<Mount> cgroupMounts(const std::string& root)
{
    std::vector<Mount> mounts;
    std::ifstream file(root + "proc/self/mounts");
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string device;
        Mount mount;
        if (words >> device >> mount.folder >> mount.type >> mount.options && mount.type.starts_with("cgroup")) {
            mount.folder = root + unescapedPath(mount.folder).substr(1);
            mounts.push_back(mount);
        }
    }
    return mounts;
}

Result<CgroupHierarchy> checkedV2(const std::string& folder)
{
    if (!hasWord(textOfFile(folder + "/cgroup.subtree_control"), "memory"))
        return Error{"The memory controller is not switched on for groups below " + folder +
                     "; in a container only its host can do that, else `echo +memory > " + folder +
                     "/cgroup.subtree_control` does."};
    return CgroupHierarchy{2, folder};
}

Result<CgroupHierarchy> checkedV1(const std::string& folder)
{
    if (!exists(folder + "/memory.memsw.limit_in_bytes"))
        return Error{
            "This kernel does not count swap per control group (boot with swapaccount=1), so that the "
            "experiment's swap could not be limited."};
    return CgroupHierarchy{1, folder};
}

std::vector<pid_t> processesOf(const std::string& folder)
{
    std::vector<pid_t> processes;
    std::ifstream file(folder + "/cgroup.procs");
    for (pid_t process = 0; file >> process;)
        processes.push_back(process);
    return processes;
}

void endProcesses(const std::string& folder)
{
    if (exists(folder + "/cgroup.kill") && write(folder + "/cgroup.kill", "1").ok())
        return;
    for (const pid_t process : processesOf(folder))
        if (process > 1)
            kill(process, SIGKILL);
}

}  // namespace

std::optional<CgroupHierarchy> mountedHierarchy(std::string_view controller, const std::string& root)
{
    const std::vector<Mount> mounts = cgroupMounts(root);
    for (const Mount& mount : mounts)
        if (mount.type == "cgroup2" && hasWord(textOfFile(mount.folder + "/cgroup.controllers"), controller))
            return CgroupHierarchy{2, mount.folder};
    const std::string option = ',' + std::string(controller) + ',';
    for (const Mount& mount : mounts)
        if (mount.type == "cgroup" && (',' + mount.options + ',').find(option) != std::string::npos)
            return CgroupHierarchy{1, mount.folder};
    return std::nullopt;
}

Result<CgroupHierarchy> findMemoryHierarchy(const std::string& root)
{
    if (const auto mounted = mountedHierarchy("memory", root))
        return mounted->version == 2 ? checkedV2(mounted->folder) : checkedV1(mounted->folder);
    return Error{"No control groups that limit memory are mounted here (neither version 1 nor 2)."};
}

MemoryGroupUsage parseUsageV1(const std::string& stat, std::int64_t usedBytes, const std::string& oomControl)
{
    const auto number = [&stat](std::string_view key) { return numberAfter(stat, key).value_or(0); };
    MemoryGroupUsage usage;
    usage.usedBytes = usedBytes;
    usage.processBytes = number("rss");
    usage.pageCacheBytes = number("cache") - number("shmem");
    usage.lockedBytes = number("unevictable");
    usage.swapBytes = number("swap");
    usage.majorFaults = number("pgmajfault");
    usage.refaultedPages = number("workingset_refault_file") + number("workingset_refault_anon");
    usage.killed = numberAfter(oomControl, "oom_kill").value_or(0);
    return usage;
}

MemoryGroupUsage parseUsageV2(const std::string& stat, std::int64_t usedBytes, std::int64_t swapBytes,
                              const std::string& events, const std::string& pressure)
{
    const auto number = [&stat](std::string_view key) { return numberAfter(stat, key).value_or(0); };
    MemoryGroupUsage usage;
    usage.usedBytes = usedBytes;
    usage.processBytes = number("anon");
    usage.pageCacheBytes = number("file") - number("shmem");
    usage.lockedBytes = number("unevictable");
    usage.swapBytes = swapBytes;
    usage.majorFaults = number("pgmajfault");
    usage.refaultedPages = number("workingset_refault_file") + number("workingset_refault_anon");
    usage.killed = numberAfter(events, "oom_kill").value_or(0);
    if (!pressure.empty())
        usage.pressurePercent = parseMemoryPressure(pressure).somePercent;
    return usage;
}

Result<MemoryGroup> MemoryGroup::create(const CgroupHierarchy& hierarchy, const std::string& name, Limits limits)
{
    const std::string folder = hierarchy.folder + '/' + name;
    std::error_code error;
    if (!fs::create_directory(folder, error) || error)
        return Error{"The control group " + folder + " could not be made (" + error.message() +
                     "); this needs the rights of root."};
    const std::string memory = std::to_string(limits.memoryBytes);
    const std::string swap = std::to_string(limits.swapBytes);
    const std::string both = std::to_string(limits.memoryBytes + limits.swapBytes);
    Result<void> written;
    const auto then = [&](const char* file, const std::string& text) {
        if (written.ok())
            written = write(folder + '/' + file, text);
    };
    if (hierarchy.version == 2) {
        then("memory.max", memory);
        then("memory.swap.max", swap);
        then("memory.oom.group", "1");
    } else {
        then("memory.limit_in_bytes", memory);  // must come first: memsw may not be below it
        then("memory.memsw.limit_in_bytes", both);
    }
    if (!written.ok()) {
        rmdir(folder.c_str());
        return written.failure();
    }
    return MemoryGroup(hierarchy.version, folder);
}

Result<void> MemoryGroup::add(pid_t process) const
{
    return write(m_folder + "/cgroup.procs", std::to_string(process));
}

MemoryGroupUsage MemoryGroup::read() const
{
    const std::string stat = textOfFile(m_folder + "/memory.stat");
    if (m_version == 2)
        return parseUsageV2(stat, numberOf(m_folder + "/memory.current"), numberOf(m_folder + "/memory.swap.current"),
                            textOfFile(m_folder + "/memory.events"), textOfFile(m_folder + "/memory.pressure"));
    return parseUsageV1(stat, numberOf(m_folder + "/memory.usage_in_bytes"),
                        textOfFile(m_folder + "/memory.oom_control"));
}

Result<void> removeMemoryGroup(const CgroupHierarchy& hierarchy, const std::string& name)
{
    const std::string folder = hierarchy.folder + '/' + name;
    for (int removal = 0; removal < kRemovals; ++removal) {
        if (!exists(folder))
            return {};
        endProcesses(folder);
        if (rmdir(folder.c_str()) == 0)
            return {};
        std::this_thread::sleep_for(kBetweenRemovals);  // processes take a moment to die
    }
    return Error{"The control group " + folder + " could not be removed (" + std::strerror(errno) +
                 "); `rmdir` it once its processes are gone."};
}

std::vector<std::string> memoryGroupNames(const CgroupHierarchy& hierarchy, const std::string& beginning)
{
    std::vector<std::string> names;
    std::error_code error;
    for (auto at = fs::directory_iterator(hierarchy.folder, error); !error && at != fs::directory_iterator();
         at.increment(error))
        if (at->is_directory(error) && at->path().filename().string().starts_with(beginning))
            names.push_back(at->path().filename().string());
    return names;
}

}  // namespace overlane
