#include "core/system/machine_gauges.h"

#include <unistd.h>

namespace overlane
{
namespace
{

enum MachineGauge { Available, SwapUsed, SwapTraffic, Pressure, MajorFaults, PageCache };

}  // namespace

MachineGauges::MachineGauges(const std::string& root)
    : m_gauges{{"Available RAM", GaugeUnit::Bytes, {}},           {"Swap used", GaugeUnit::Bytes, {}},
               {"Swap traffic", GaugeUnit::BytesPerSecond, {}},   {"Memory pressure (some)", GaugeUnit::Percent, {}},
               {"Major faults per second", GaugeUnit::Count, {}}, {"Page cache", GaugeUnit::Bytes, {}}},
      m_values(m_gauges.size(), 0),
      m_meminfo(root + "proc/meminfo"),
      m_vmstat(root + "proc/vmstat"),
      m_pressure(root + "proc/pressure/memory")
{
}

std::span<const double> MachineGauges::sample(std::int64_t timeNs)
{
    const MachineMemory memory = parseMachineMemory(m_meminfo.read());
    const PagingCounts paging = parsePagingCounts(m_vmstat.read());
    const MemoryPressure pressure = parseMemoryPressure(m_pressure.read());
    m_values[Available] = static_cast<double>(memory.availableBytes);
    m_values[PageCache] = static_cast<double>(memory.cachedBytes);
    m_values[SwapUsed] = static_cast<double>(memory.swapUsedBytes);
    if (m_sampled && timeNs > m_lastNs) {
        const double seconds = static_cast<double>(timeNs - m_lastNs) * 1e-9;
        const std::int64_t pages =
            paging.swappedInPages - m_last.swappedInPages + paging.swappedOutPages - m_last.swappedOutPages;
        m_values[SwapTraffic] = static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE)) / seconds;
        m_values[MajorFaults] = static_cast<double>(paging.majorFaults - m_last.majorFaults) / seconds;
        // The kernel's own averages lag by seconds; its total does not.
        m_values[Pressure] =
            static_cast<double>(pressure.someTotalUs - m_lastPressure.someTotalUs) * 1e-6 / seconds * 100;
    }
    m_last = paging;
    m_lastPressure = pressure;
    m_lastNs = timeNs;
    m_sampled = true;
    return m_values;
}

}  // namespace overlane
