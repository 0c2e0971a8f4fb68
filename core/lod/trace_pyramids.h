// TracePyramids: what makes a trace of any size cheap to draw, made once beside it.
//
// Shares the trace. Immutable, so any thread may ask; building takes O(events + samples), so a worker does it.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/lod/counter_pyramid.h"
#include "core/lod/pyramid.h"
#include "core/trace/trace.h"

namespace overlane
{

struct TracePyramids {
    explicit TracePyramids(std::shared_ptr<const Trace> shared)
        : trace(std::move(shared)), events(*trace), counters(trace->counters().begin(), trace->counters().end())
    {
    }

    std::size_t bytes() const
    {
        std::size_t total = events.bytes();
        for (const CounterPyramid& counter : counters)
            total += counter.bytes();
        return total;
    }

    std::shared_ptr<const Trace> trace;
    Pyramid events;
    std::vector<CounterPyramid> counters;  // as Trace::counters()
};

}  // namespace overlane
