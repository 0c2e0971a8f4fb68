// How many processors this process may keep busy: those it may run on (sched_getaffinity), and not more than the share
// that a control group around it grants (`docker run --cpus 2`, a job of a batch system).
//
// cpu.max of cgroup v2 (Documentation/admin-guide/cgroup-v2.rst), cpu.cfs_quota_us and cpu.cfs_period_us of v1
// (scheduler/sched-bwc.rst). Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace overlane
{

// Rounded, one at least. Another root than / only for tests.
std::int64_t usableProcessors(const std::string& root = "/");

// Processors that the groups around this process grant, as 1.5; none where nothing limits them.
std::optional<double> processorQuota(const std::string& root = "/");

}  // namespace overlane
