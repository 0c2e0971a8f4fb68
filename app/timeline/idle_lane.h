// Idle lane: the gaps between the kernels of a device, where they lie and why each is there.
//
// Pure functions of an immutable analysis; nanoseconds, and pixels from the left edge of the time axis.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/analysis/idle_attribution.h"
#include "core/trace/trace.h"

namespace overlane
{

// A gap of a device's compute lane: no kernel runs in it, one ends before it and one begins after it.
struct IdleGapAt {
    std::int32_t device = -1;
    Interval interval;

    friend bool operator==(const IdleGapAt&, const IdleGapAt&) = default;
};

// The gap at a time; none while a kernel runs, and for a device without GPU work.
std::optional<IdleGapAt> idleGapAt(const Analysis& analysis, std::int32_t device, std::int64_t timeNs);

// The gap that ended when a kernel began; none where another kernel ran right before, for any other
// event, and before the first kernel.
std::optional<IdleGapAt> idleGapBefore(const Trace& trace, const Analysis& analysis, EventIndex kernel);

struct IdleSpan {
    int leftPx = 0;
    int rightPx = 0;  // half-open
    LostCause cause = LostCause::Unknown;

    friend bool operator==(const IdleSpan&, const IdleSpan&) = default;
};

// Pixel columns of which at least half passed without kernels, each with the cause of most of that
// time; neighbors of one cause are one span.
std::vector<IdleSpan> idleSpans(const LostTime& lost, Interval range, int widthPx);

}  // namespace overlane
