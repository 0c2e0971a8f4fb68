// Makes a trace of a run on a real GPU from what its actors noted, in the tracks that a simulated
// run has, so that the two can be laid one above the other.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/string_pool.h"
#include "core/trace/trace_builder.h"
#include "cupti/engine/actor_log.h"

namespace overlane
{

struct EngineTrace {
    std::vector<ActorLog> actors;
    std::vector<ActorLog::Entry> steps;
    std::vector<GaugeLog> gauges;         // the first in bytes, the others counts
    const StringPool* strings = nullptr;  // of the entries' names
    std::int64_t originNs = 0;            // steady clock at t = 0
    std::int64_t endNs = 0;
    TraceMetadata metadata;
};

Trace buildEngineTrace(EngineTrace run);

}  // namespace overlane
