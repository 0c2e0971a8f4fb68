// Role shares: how many copies of a range carry what, how much it is, and how long it is exposed.
//
// Counts copies that start in the range, as Summary does. Pure; any thread; nanoseconds and bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/analysis/copy_role.h"
#include "core/trace/trace.h"

namespace overlane
{

enum class CopyWay : std::uint8_t { ToDevice, ToHost, Other };
// "to the device", "to the host", "other"; stable, used in JSON.
std::string_view copyWayName(CopyWay way);

struct RoleShare {
    CopyRole role = CopyRole::Unknown;
    CopyWay way = CopyWay::ToDevice;
    std::int64_t copies = 0;
    std::int64_t bytes = 0;
    std::int64_t durationNs = 0;
    std::int64_t exposedNs = 0;  // without a kernel beside it
    double confidence = 0;       // of the role, on the average byte
};

// Of any copy event; Unknown for other events.
CopyRole roleOf(const Trace& trace, const Analysis& analysis, EventIndex event);

// Of copies to and from one device; what is exposed most comes first.
std::vector<RoleShare> roleShares(const Analysis& analysis, const DeviceActivity& device, Interval range);
// Of all devices, and other copies, too.
std::vector<RoleShare> roleShares(const Trace& trace, const Analysis& analysis, Interval range);

// Time that a device idles while the host works on what was copied back, an optimizer for one, until it copies in what
// it made of that.
std::int64_t hostWorkOnOffloadedNs(const Analysis& analysis, const DeviceActivity& device, Interval range);
// What advice is to speak of: parameters that the host updates in every iteration are no layers that are streamed.
CopyRole roleOfAdvice(const Analysis& analysis, const DeviceActivity& device, Interval range, CopyRole role);

// "Ceiling of the offload: 1.15 GiB per iteration take 22.5 ms on the link (55 GB/s), the kernels 7.10 ms, so that
// an iteration takes 22.5 ms at least. It takes 199 ms, 8.8 times that." Empty where nothing that counts is offloaded,
// or the link is unknown. `iterationNs` is what an iteration takes, of which the range holds `iterations`.
std::string offloadCeiling(const Analysis& analysis, const DeviceActivity& device, Interval range,
                           std::int64_t iterations, std::int64_t iterationNs);

}  // namespace overlane
