// Loop iterations: where the iterations of one family of requests begin and end.
//
// Pure, any thread; nanoseconds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/loop_families.h"
#include "core/base/interval.h"
#include "core/base/work_meter.h"

namespace overlane
{

// Each iteration ends where the next one begins, also where the host stalls for some; the last of all, and one that a
// long pause or another phase follows, ends with its own work and the usual rest behind it.
struct LoopIterations {
    std::vector<Interval> intervals;
    std::string beginsWith;         // the name of the request that begins the last one
    std::int64_t usualPauseNs = 0;  // between the last request of an iteration and the next iteration
    double confidence = 0;          // the kinds of requests that its iterations have in common, 0 to 1
};

LoopIterations iterationsOf(const LoopFamilies& families, const LoopFamily& family, const WorkMeter& work);

}  // namespace overlane
