// ProcessGauges: memory of the processes of a tree, summed: resident, shared and swapped out.
//
// The tree is read from /proc/PID/task/*/children, which Linux offers where it was built with
// CONFIG_PROC_CHILDREN (every common distribution); without it only the process itself counts.
// Processes come and go between samples. One thread.
#pragma once

#include <map>
#include <sys/types.h>

#include "core/host/gauge.h"
#include "core/host/proc_file.h"

namespace overlane
{

class ProcessGauges final : public GaugeSource
{
public:
    explicit ProcessGauges(pid_t rootProcess);

    const std::vector<GaugeInfo>& gauges() const override { return m_gauges; }
    std::span<const double> sample(std::int64_t timeNs) override;

    // At the last sample, the root first.
    std::vector<pid_t> processes() const;

private:
    pid_t m_root;
    std::vector<GaugeInfo> m_gauges;
    std::vector<double> m_values;
    std::map<pid_t, ProcFile> m_status;
};

// The process and everything below it, parents before children.
std::vector<pid_t> processTree(pid_t root);

}  // namespace overlane
