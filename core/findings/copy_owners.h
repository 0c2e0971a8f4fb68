// Looks at what stands around every copy of a device and asks claims.h whose it is. Linear in the
// number of copies, with binary searches; nanoseconds. Pure; any thread.
#pragma once

#include <vector>

#include "core/analysis/device_activity.h"
#include "core/analysis/host_activity.h"
#include "core/analysis/lost_time.h"
#include "core/findings/finding.h"
#include "core/trace/trace.h"

namespace overlane
{

// Pinned copies of at least this size run at their link's rate where nothing is wrong.
constexpr std::int64_t kFullRateBytes = 1 << 20;
// Below this part of what their link carries, something is.
constexpr double kSlowShareOfLink = 0.85;

// Beside device.h2dCopies.
std::vector<RuleId> ownersOfH2d(const Trace& trace, const HostActivity& host, const DeviceActivity& device,
                                const LostTime& lost, const WorkMeter& work = {});
// Beside device.d2hCopies; `h2dOwners` as above.
std::vector<RuleId> ownersOfD2h(const DeviceActivity& device, const std::vector<RuleId>& h2dOwners,
                                const WorkMeter& work = {});

// The wait that the host asks for right behind a copy, whether or not the copy has ended by then, as
// PyTorch's blocking .to() does; none where other work follows.
EventIndex waitBehind(const Trace& trace, const HostActivity& host, const CopyRecord& copy);

// How much longer each pinned copy of one direction, in order of start, took than its link needs; 0 where it is
// not slow or that is unknown. Copies that run at the same time share the link: their bytes in the time that they
// fill together say how fast it was.
std::vector<std::int64_t> slowExcesses(const std::vector<CopyRecord>& copies, double linkBytesPerSecond,
                                       const WorkMeter& work = {});

}  // namespace overlane
