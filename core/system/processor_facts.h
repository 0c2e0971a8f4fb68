// The processor of this machine: its name, how many of its threads this process may use, its last level cache.
//
// From /proc/cpuinfo, usableProcessors() and /sys/devices/system/cpu/cpu0/cache (Documentation/ABI/testing/
// sysfs-devices-system-cpu). Any thread. Bytes; 0 where the system does not say, as in some virtual machines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace overlane
{

struct ProcessorFacts {
    std::string name;
    std::int64_t cores = 1;
    std::int64_t lastLevelCacheBytes = 0;
};

ProcessorFacts processorFacts(const std::string& system = "/sys", const std::string& proc = "/proc");

// "260M", "32768K" as sysfs writes sizes of caches; 0 for what it is not.
std::int64_t parseCacheSize(std::string_view text);

}  // namespace overlane
