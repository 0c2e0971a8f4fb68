// MachineMemoryView: the machine's memory as it is now, in parts that add up to its RAM, with what
// tells of trouble: swap, its traffic, pressure, files that had to be read again.
//
// The parts come from /proc/meminfo (proc(5)): what processes hold, what they share, what the kernel
// keeps, page cache, free. The kernel counts page-locked memory of mlock() as Mlocked; what CUDA
// pins it does not tell apart: it is among the shared and the kernel's. MemoryWatch makes rates from
// two readings. Bytes. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/content/block.h"
#include "core/system/memory_status.h"
#include "core/system/proc_file.h"

namespace overlane
{

struct MemoryParts {
    std::int64_t totalBytes = 0;
    // In this order they fill the RAM exactly.
    std::int64_t processBytes = 0;    // anonymous pages
    std::int64_t sharedBytes = 0;     // shared memory and tmpfs: workers' batches, most of what CUDA pins
    std::int64_t kernelBytes = 0;     // slab, page tables, drivers: what the rest does not explain
    std::int64_t pageCacheBytes = 0;  // files, which can be read again
    std::int64_t freeBytes = 0;
    // Within these:
    std::int64_t lockedBytes = 0;     // mlock()
    std::int64_t availableBytes = 0;  // free, or page cache that may go
    std::int64_t swapTotalBytes = 0;
    std::int64_t swapUsedBytes = 0;
};
MemoryParts parseMemoryParts(std::string_view meminfo);

struct MachineMemoryView {
    MemoryParts parts;
    double swapBytesPerSecond = 0;     // both directions; 0 at the first reading
    double majorFaultsPerSecond = 0;   // pages that had to be read from a drive
    double pressureSomePercent = 0;    // of the last 10 seconds in which a task waited for memory
    double pressureFullPercent = 0;    // in which all of them did
    double pressureMinutePercent = 0;  // as the first, of the last minute
    bool hasPressure = false;          // the kernel tells (CONFIG_PSI, psi=1)
};

// What tells of memory that runs short: locked memory, swap, waiting, pages read again.
Facts shortageFacts(const MachineMemoryView& view);

class MemoryWatch
{
public:
    // Another root than / only for tests.
    explicit MemoryWatch(const std::string& root = "/");
    MachineMemoryView read(std::int64_t timeNs);

private:
    ProcFile m_meminfo;
    ProcFile m_vmstat;
    ProcFile m_pressure;
    PagingCounts m_last;
    std::int64_t m_lastNs = 0;
    bool m_hasLast = false;
};

enum class WarningLevel : std::uint8_t { Note, Warning, Alarm };

struct MemoryWarning {
    WarningLevel level = WarningLevel::Note;
    std::string key;     // "swap_traffic"; stable
    std::string what;    // one sentence: what is seen, with its figure
    std::string doThis;  // what to lower first
};
// Worst first; empty where all is well.
std::vector<MemoryWarning> memoryWarnings(const MachineMemoryView& view);

}  // namespace overlane
