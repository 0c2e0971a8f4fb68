// What a device lost, as a verdict counts it: without its ends, and without what is warm-up.
//
// Pure functions, any thread. Nanoseconds.
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/summary.h"
#include "core/analysis/verdict.h"

namespace overlane
{

struct DeviceLosses {
    std::int32_t device = -1;
    std::vector<Verdict::Loss> losses;  // most first, without places
    std::int64_t warmUpNs = 0;
    std::int64_t endsNs = 0;
};

// `early` is the summary of the first quarter of a range of many steps, else none: a loss that lies there nearly whole
// is warm-up.
DeviceLosses lossesOf(const DeviceSummary& device, const DeviceSummary* early);

// Of each device with work in the range.
std::vector<DeviceLosses> lossesOfDevices(const Analysis& analysis, const std::vector<Step>& steps, Interval range);

}  // namespace overlane
