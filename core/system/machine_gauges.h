// MachineGauges: the machine's memory over time: available RAM, page cache, swap used, swap traffic,
// major faults and pressure. A sample reads three small files, some tens of microseconds. One thread.
#pragma once

#include "core/system/gauge.h"
#include "core/system/memory_status.h"
#include "core/system/proc_file.h"

namespace overlane
{

class MachineGauges final : public GaugeSource
{
public:
    // Another root than / only for tests.
    explicit MachineGauges(const std::string& root = "/");

    const std::vector<GaugeInfo>& gauges() const override { return m_gauges; }
    std::span<const double> sample(std::int64_t timeNs) override;

private:
    std::vector<GaugeInfo> m_gauges;
    std::vector<double> m_values;
    ProcFile m_meminfo;
    ProcFile m_vmstat;
    ProcFile m_pressure;
    PagingCounts m_last;
    MemoryPressure m_lastPressure;
    std::int64_t m_lastNs = 0;
    bool m_sampled = false;
};

}  // namespace overlane
