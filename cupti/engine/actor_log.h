// ActorLog: what one loader actor did, as the actor itself saw it, and gauges of the run.
//
// Each actor writes its own log, from its own thread; they are read once every thread has ended.
// Nanoseconds of the steady clock (CLOCK_MONOTONIC).
#pragma once

#include <cstdint>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

#include "core/base/strong_id.h"
#include "core/trace/event.h"

namespace overlane
{

struct ActorLog {
    struct Entry {
        EventKind kind = EventKind::HostWork;
        StringId name;
        std::int64_t startNs = 0;
        std::int64_t endNs = 0;
    };
    std::string name;
    pid_t thread = 0;
    std::vector<Entry> entries;
};

// Samples of one gauge, one per change.
struct GaugeLog {
    std::string name;
    std::vector<std::pair<std::int64_t, double>> samples;
};

}  // namespace overlane
