// Lane spans: the runs of pixels that a lane shows of a visible range.
//
// Pure functions of a trace. The cost follows the width and not the number of events: the pyramid finds the borders of
// pixel columns in a row (disjoint, sorted; core/trace/track.h) and sums up what lies between them. In a crowd, an
// event that starts less than an eighth of a pixel behind a border belongs to the pixel in front of it, which saves
// looking at single events. Pixels are those of the lane's own canvas, device pixels on a dense screen. A width that is
// not positive, an empty range or one outside the events give nothing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/interval.h"
#include "core/lod/pyramid.h"
#include "core/trace/trace.h"

namespace overlane
{

// The events of a row that overlap the range. Zero-length events count where they start in it.
EventRange visibleEvents(const Trace& trace, EventRange row, Interval range);

// A run of pixels with one look.
struct LaneSpan {
    float startPx = 0;        // from the left edge of the range, clipped to [0, width]
    float endPx = 0;          // above startPx
    EventIndex event;         // the event, or the longest of those merged
    std::uint32_t count = 0;  // one of kOwnSpanPx or more lies alone at its own borders, others fill columns
    std::uint8_t level = 0;   // coverage in steps of 1/kFullLevel, rounded up; kFullLevel from kOwnSpanPx on
    EventKind kind = EventKind::HostWork;
    std::uint8_t row = 0;  // of the rows asked for (clamped to 255)
    MemorySet memory = 0;  // of all copies merged; empty where there is none
    friend bool operator==(const LaneSpan&, const LaneSpan&) = default;
};
constexpr std::uint8_t kFullLevel = 4;
// Events of at least this width are spans of their own.
constexpr float kOwnSpanPx = 2;

// The spans of a row, left to right, disjoint. Small neighbors of one kind, level and memory are merged.
std::vector<LaneSpan> laneSpans(const Pyramid& pyramid, EventRange row, Interval range, int widthPx);

// The spans of several rows drawn as one lane: a collapsed parent. In each pixel the deepest row
// that is at least half covered shows, else the one that is covered most; a wait shows where nothing else does.
std::vector<LaneSpan> mergedLaneSpans(const Pyramid& pyramid, std::span<const EventRange> rows, Interval range,
                                      int widthPx);

}  // namespace overlane
