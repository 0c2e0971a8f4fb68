// Lane geometry: where the bars of a lane lie, in the pixels of the canvas they are painted on.
//
// Pure functions of what the trace answers for a width (core/lod); the same bars are painted and hit
// tested. x counts from the left edge of the time axis, device pixels on a dense screen.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/lod/lane_spans.h"
#include "core/lod/time_scale.h"
#include "core/trace/trace.h"

namespace overlane
{

struct LaneBar {
    int leftPx = 0;
    int rightPx = 0;  // half-open, above leftPx
    EventIndex event;
    std::uint32_t count = 1;
    std::uint8_t level = kFullLevel;
    EventKind kind = EventKind::HostWork;
    MemorySet memory = 0;
    int widthPx() const { return rightPx - leftPx; }
    friend bool operator==(const LaneBar&, const LaneBar&) = default;
};

// The bars of a lane, left to right, disjoint. Of two wide bars that touch, the left one gives a
// pixel, so that back-to-back kernels can be told apart.
std::vector<LaneBar> laneBars(std::span<const LaneSpan> spans);
// The bars of a lane that shows these rows.
std::vector<LaneBar> laneBars(const Pyramid& pyramid, std::span<const EventRange> rows, Interval range, int widthPx);

// The bar at x, or the nearest one within `reachPx`; nullptr where there is none.
const LaneBar* barAt(std::span<const LaneBar> bars, int xPx, int reachPx);

// When the call of a copy returned, as far as that lies within the copy (both ends included).
std::optional<std::int64_t> returnedDuring(const Trace& trace, EventIndex copy);

}  // namespace overlane
