#include "core/system/machine_memory.h"

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

#include "core/base/units.h"
#include "core/system/proc_text.h"

namespace overlane
{
namespace
{

// Below this share of the RAM (or this much on a small machine) the next large batch decides.
constexpr double kLowShare = 0.10;
constexpr std::int64_t kLowBytes = kGiB;
// A page now and then is no trouble.
constexpr double kSwapTrafficBytesPerSecond = 256.0 * 1024;
constexpr double kPressurePercent = 0.1;
constexpr double kStallPercent = 10;
constexpr double kFaultsPerSecond = 100;
constexpr double kNearlyFull = 0.8;

constexpr const char* kLowerPrefetch =
    "Lower prefetch_factor first: each step down frees one batch per worker and costs nothing while the workers "
    "keep up. Then workers, then the batch size.";
constexpr const char* kLowerPinned =
    "Lower pinned memory first (prefetch_factor, then workers): it cannot be swapped, so everything else makes room "
    "for it.";

class Warnings
{
public:
    explicit Warnings(const MachineMemoryView& view) : m_view(view), m_parts(view.parts) {}

    std::vector<MemoryWarning> all()
    {
        swap();
        pressure();
        available();
        faults();
        std::stable_sort(m_list.begin(), m_list.end(),
                         [](const MemoryWarning& a, const MemoryWarning& b) { return a.level > b.level; });
        return m_list;
    }

private:
    void add(WarningLevel level, std::string key, std::string what, std::string doThis)
    {
        m_list.push_back({level, std::move(key), std::move(what), std::move(doThis)});
    }

    void swap()
    {
        const bool moves = m_view.swapBytesPerSecond >= kSwapTrafficBytesPerSecond;
        if (moves)
            add(WarningLevel::Alarm, "swap_traffic",
                fmt::format("Memory is being swapped at {:.1f} MB/s: a thread that touches it waits for the drive.",
                            m_view.swapBytesPerSecond / 1e6),
                kLowerPinned);
        if (m_parts.swapUsedBytes > 0 &&
            static_cast<double>(m_parts.swapUsedBytes) > kNearlyFull * static_cast<double>(m_parts.swapTotalBytes))
            add(WarningLevel::Alarm, "swap_full",
                fmt::format("{} of {} of swap are used: when it is full, the kernel ends a process.",
                            formatBytes(m_parts.swapUsedBytes), formatBytes(m_parts.swapTotalBytes)),
                kLowerPrefetch);
        else if (m_parts.swapUsedBytes > 0 && !moves)
            add(WarningLevel::Note, "swap_used",
                fmt::format("{} are in swap, and nothing moves: memory ran short once, what was idle left.",
                            formatBytes(m_parts.swapUsedBytes)),
                "Watch the swap traffic when the loader starts; if it rises, lower prefetch_factor.");
    }

    void pressure()
    {
        if (m_view.pressureSomePercent < kPressurePercent)
            return;
        const bool rising = m_view.pressureSomePercent > m_view.pressureMinutePercent;
        const bool stalls = m_view.pressureSomePercent >= kStallPercent || m_view.pressureFullPercent >= 1;
        if (!rising && !stalls)
            return;
        add(stalls ? WarningLevel::Alarm : WarningLevel::Warning, "pressure",
            fmt::format("Tasks waited for memory in {:.1f} % of the last ten seconds{}.", m_view.pressureSomePercent,
                        rising ? fmt::format(", more than the {:.1f} % of the last minute: it is rising",
                                             m_view.pressureMinutePercent)
                               : ""),
            kLowerPrefetch);
    }

    void available()
    {
        const auto low = std::min<std::int64_t>(
            static_cast<std::int64_t>(kLowShare * static_cast<double>(m_parts.totalBytes)), kLowBytes * 4);
        if (m_parts.totalBytes == 0 ||
            m_parts.availableBytes >= std::max(low, std::min(kLowBytes, m_parts.totalBytes / 8)))
            return;
        const bool noSwap = m_parts.swapTotalBytes == 0;
        add(noSwap ? WarningLevel::Alarm : WarningLevel::Warning, "available",
            fmt::format("{} of {} are left{}.", formatBytes(m_parts.availableBytes), formatBytes(m_parts.totalBytes),
                        noSwap ? ", and there is no swap: when they are gone, the kernel ends a process"
                               : ": pinning more pushes other memory into swap"),
            kLowerPrefetch);
    }

    void faults()
    {
        if (m_view.majorFaultsPerSecond < kFaultsPerSecond || m_view.swapBytesPerSecond >= kSwapTrafficBytesPerSecond)
            return;
        add(WarningLevel::Warning, "major_faults",
            fmt::format("{:.0f} pages a second come from files on the drive again; the page cache has {}.",
                        m_view.majorFaultsPerSecond, formatBytes(m_parts.pageCacheBytes)),
            "Leave the page cache room for the files that are read in every epoch: lower pinned memory.");
    }

    const MachineMemoryView& m_view;
    const MemoryParts& m_parts;
    std::vector<MemoryWarning> m_list;
};

}  // namespace

MemoryParts parseMemoryParts(std::string_view meminfo)
{
    const auto bytes = [meminfo](std::string_view key) { return numberAfter(meminfo, key).value_or(0) * kBytesPerKb; };
    MemoryParts parts;
    parts.totalBytes = bytes("MemTotal:");
    parts.freeBytes = bytes("MemFree:");
    parts.sharedBytes = bytes("Shmem:");
    // Cached holds shared memory as well, which cannot be dropped.
    parts.pageCacheBytes = std::max<std::int64_t>(0, bytes("Cached:") + bytes("Buffers:") - parts.sharedBytes);
    parts.processBytes = bytes("AnonPages:");
    parts.kernelBytes =
        parts.totalBytes - parts.freeBytes - parts.sharedBytes - parts.pageCacheBytes - parts.processBytes;
    if (parts.kernelBytes < 0) {  // the kernel's counters are not read at one moment
        parts.pageCacheBytes = std::max<std::int64_t>(0, parts.pageCacheBytes + parts.kernelBytes);
        parts.kernelBytes = std::max<std::int64_t>(
            0, parts.totalBytes - parts.freeBytes - parts.sharedBytes - parts.pageCacheBytes - parts.processBytes);
    }
    parts.lockedBytes = bytes("Mlocked:");
    parts.availableBytes = bytes("MemAvailable:");
    parts.swapTotalBytes = bytes("SwapTotal:");
    parts.swapUsedBytes = parts.swapTotalBytes - bytes("SwapFree:");
    return parts;
}

MemoryWatch::MemoryWatch(const std::string& root)
    : m_meminfo(root + "proc/meminfo"), m_vmstat(root + "proc/vmstat"), m_pressure(root + "proc/pressure/memory")
{
}

MachineMemoryView MemoryWatch::read(std::int64_t timeNs)
{
    MachineMemoryView view;
    view.parts = parseMemoryParts(m_meminfo.read());
    const PagingCounts paging = parsePagingCounts(m_vmstat.read());
    const std::string_view pressure = m_pressure.read();
    const MemoryPressure now = parseMemoryPressure(pressure);
    view.hasPressure = !pressure.empty();
    view.pressureSomePercent = now.somePercent;
    view.pressureFullPercent = now.fullPercent;
    view.pressureMinutePercent = realAfter(pressure, "avg60=").value_or(0);
    if (m_hasLast && timeNs > m_lastNs) {
        const double seconds = static_cast<double>(timeNs - m_lastNs) * 1e-9;
        const std::int64_t pages =
            paging.swappedInPages - m_last.swappedInPages + paging.swappedOutPages - m_last.swappedOutPages;
        view.swapBytesPerSecond = static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE)) / seconds;
        view.majorFaultsPerSecond = static_cast<double>(paging.majorFaults - m_last.majorFaults) / seconds;
    }
    m_last = paging;
    m_lastNs = timeNs;
    m_hasLast = true;
    return view;
}

Facts shortageFacts(const MachineMemoryView& view)
{
    const MemoryParts& parts = view.parts;
    const std::string swap = parts.swapTotalBytes == 0 ? "none"
                                                       : fmt::format("{} of {}", formatBytes(parts.swapUsedBytes),
                                                                     formatBytes(parts.swapTotalBytes));
    return {
        {{"locked by mlock()", bytesCell(parts.lockedBytes)},
         {"swap in use", {swap, parts.swapUsedBytes}},
         {"tasks waiting for memory, last 10 s",
          view.hasPressure ? Cell{fmt::format("{:.1f} %", view.pressureSomePercent), view.pressureSomePercent}
                           : Cell{"not reported by this kernel"}},
         {"major faults per second", {fmt::format("{:.0f}", view.majorFaultsPerSecond), view.majorFaultsPerSecond}}}};
}

std::vector<MemoryWarning> memoryWarnings(const MachineMemoryView& view)
{
    return Warnings(view).all();
}

}  // namespace overlane
