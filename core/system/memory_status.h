// What the kernel says of memory: the machine's, the pressure on it, and one process's.
//
// Pure functions of the text of /proc files, so that they can be tested, but for machineMemory();
// the gauges read the files. Bytes, except where a name says otherwise. See proc(5) and the kernel's documentation of
// pressure stall information (Documentation/accounting/psi.rst). What a kernel does not report
// stays 0.
#pragma once

#include <cstdint>
#include <string_view>

namespace overlane
{

struct MachineMemory {  // /proc/meminfo
    std::int64_t totalBytes = 0;
    std::int64_t availableBytes = 0;
    std::int64_t cachedBytes = 0;
    std::int64_t swapTotalBytes = 0;
    std::int64_t swapUsedBytes = 0;
};
MachineMemory parseMachineMemory(std::string_view meminfo);
MachineMemory machineMemory();  // of this one, now

// Counts since the machine started; /proc/vmstat.
struct PagingCounts {
    std::int64_t swappedInPages = 0;
    std::int64_t swappedOutPages = 0;
    std::int64_t majorFaults = 0;
};
PagingCounts parsePagingCounts(std::string_view vmstat);

// Share of time in which some, or all, tasks waited for memory; /proc/pressure/memory.
struct MemoryPressure {
    double somePercent = 0;  // over the last ten seconds
    double fullPercent = 0;
    std::int64_t someTotalUs = 0;  // since the machine started
};
MemoryPressure parseMemoryPressure(std::string_view pressure);

struct ProcessMemory {  // /proc/PID/status
    std::int64_t residentBytes = 0;
    std::int64_t sharedBytes = 0;  // of the resident: pages of files and of shared memory
    std::int64_t swappedBytes = 0;
};
ProcessMemory parseProcessMemory(std::string_view status);

}  // namespace overlane
