// Step samples: the points of a counter that a width can show.
//
// Pure. A counter holds each value until its next time. Where several samples fall into one pixel,
// its first, lowest, highest and last stay, so that no spike is lost; the cost of finding them is a
// binary search per pixel plus the samples that are visible.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/interval.h"
#include "core/trace/track.h"

namespace overlane
{

struct StepPoint {
    std::int64_t timeNs = 0;
    double value = 0;
    friend bool operator==(const StepPoint&, const StepPoint&) = default;
};

struct StepSamples {
    std::vector<StepPoint> points;  // ascending in time, from the range's start to its end
};

// Nothing where the width is not positive, the range is empty or lies before the first sample.
StepSamples stepSamples(const CounterSeries& series, Interval range, int widthPx);

}  // namespace overlane
