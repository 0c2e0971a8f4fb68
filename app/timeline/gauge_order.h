// Gauge order: which of a trace's counters are gauges, in which order, and what is said of their values.
//
// Pure, of a trace's pyramids and of what a person arranged. Times in nanoseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/timeline/track_arrangement.h"
#include "core/base/interval.h"
#include "core/lod/trace_pyramids.h"

namespace overlane
{

struct GaugeChoice {
    const CounterPyramid* counter = nullptr;
    TrackLook look;
    std::size_t color = 0;  // its place without a choice, so that it keeps its color
};

// Every counter with samples, hidden ones too. Without a choice those that move come first, and pinned memory, since
// what is locked stays so for a whole run; among each, all sources have one order. Memory of less than 1 MiB is none to
// begin with.
std::vector<GaugeChoice> gaugeOrder(const TracePyramids& pyramids, const TrackArrangement& arrangement);

// The counter's name; where others have it too, with what it is of: "Pinned memory · python3 (722)".
std::string gaugeTitle(const TracePyramids& pyramids, TrackId gauge);

// The paths in their new order, after the gauge went up (-1) or down (1) past one that is not hidden; empty where there
// is none.
std::vector<std::string> gaugesMoved(const TracePyramids& pyramids, const TrackArrangement& arrangement, TrackId gauge,
                                     int by);

// The time for which the first of the highest or lowest values holds, up to the end of what was measured.
std::optional<Interval> extremeAt(const CounterPyramid& counter, bool highest, std::int64_t endNs);

// Every digit, with the unit: "50331648 B", "5.129 432 ms", "7".
std::string exactValue(CounterUnit unit, double value);

}  // namespace overlane
