// Odd shapes with eight steps marked on a thread of their own, as a trace needs them to be replayed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "tests/support/odd_shapes.h"

namespace overlane::test
{

inline Trace steppedTrace(OddShape shape, std::int64_t size)
{
    constexpr int kSteps = 8;
    constexpr int kThread = 7'000'000;
    OddEvents made = oddEvents(shape, size);
    std::int64_t endNs = kSteps;
    for (const OddEvent& event : made.events)
        endNs = std::max(endNs, event.startNs);
    if (shape != OddShape::Steps && shape != OddShape::Mixture)
        for (int step = 0; step < kSteps; ++step) {
            OddEvent event;
            event.kind = EventKind::Step;
            event.startNs = endNs / kSteps * step;
            event.durationNs = endNs / kSteps;
            event.name = "ProfilerStep#" + std::to_string(step);
            event.place = kThread;
            made.events.push_back(event);
        }
    return builtTrace(made);
}

}  // namespace overlane::test
