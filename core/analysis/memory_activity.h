// What the memory gauges of a trace tell: swap and pinned memory in use, and when the machine moved
// pages between memory and swap.
//
// Moving is read from a gauge of swap traffic where there is one, else from the slope of swap used; a
// trickle that blocks no thread is left out. Owns what it holds; immutable, any thread; nanoseconds and bytes.
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/interval_set.h"
#include "core/trace/trace.h"

namespace overlane
{

// Bytes over time; 0 before the first sample and where the trace has no such gauge.
struct BytesOverTime {
    std::vector<std::int64_t> timesNs;
    std::vector<std::int64_t> bytes;

    std::int64_t at(std::int64_t timeNs) const;
    std::int64_t peak(Interval range) const;
};

struct MemoryActivity {
    BytesOverTime swapUsed;
    BytesOverTime pinned;  // of all processes together
    IntervalSet swapping;
};

MemoryActivity memoryActivity(const Trace& trace);

}  // namespace overlane
