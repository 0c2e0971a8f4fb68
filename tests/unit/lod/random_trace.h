// Seeded random rows of disjoint events, for comparing fast answers with slow ones.
#pragma once

#include <cstdint>
#include <random>

#include "core/trace/trace_builder.h"

namespace overlane
{

struct RandomTraceOptions {
    int tracks = 3;
    int eventsPerTrack = 1000;
    std::int64_t longestNs = 400;
    std::int64_t longestGapNs = 300;
};

inline Trace randomTrace(std::uint32_t seed, const RandomTraceOptions& options = {})
{
    std::mt19937 random(seed);
    const auto upTo = [&](std::int64_t limit) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(limit + 1));
    };
    TraceBuilder builder;
    constexpr EventKind kKinds[] = {EventKind::RuntimeCall, EventKind::Kernel, EventKind::Sync};
    for (int t = 0; t < options.tracks; ++t) {
        const TrackId track = builder.addTrack({}, TrackKind::Thread, "track " + std::to_string(t));
        std::int64_t timeNs = std::int64_t{t} * 1000;
        for (int i = 0; i < options.eventsPerTrack; ++i) {
            Event event;
            event.track = track;
            event.startNs = timeNs;
            event.durationNs = random() % 8 == 0 ? 0 : upTo(options.longestNs);
            event.kind = kKinds[random() % 3];
            event.name = builder.intern("work");
            builder.addEvent(event);
            // Zero gaps are common, two events at one time are not: they would go to another row.
            timeNs =
                event.endNs() + (event.durationNs == 0 ? 1 : 0) + (random() % 3 == 0 ? 0 : upTo(options.longestGapNs));
        }
    }
    return builder.build();
}

}  // namespace overlane
