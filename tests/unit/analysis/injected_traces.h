// Seeded traces with a known cause in them: loader scenarios with random knobs where the simulation
// can show the cause, else steps built by hand with random sizes. Deterministic for a seed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/analysis/copy_cause.h"
#include "core/analysis/lost_time.h"
#include "core/trace/trace.h"

namespace overlane::test
{

using Random = std::mt19937_64;

struct CopyInjection {
    std::string name;
    // The reasons that hold for the copies, the one to fix first at the front.
    std::vector<CopyCause> causes;
    std::function<Trace(Random&)> make;
    EventKind direction = EventKind::CopyH2D;
};
// One cause at a time, then pairs.
std::vector<CopyInjection> copyInjections();
std::vector<CopyInjection> copyPairInjections();

struct IdleInjection {
    std::string name;
    LostCause cause;
    std::function<Trace(Random&)> make;
    std::string actor = {};  // Batches: what the loader's slow part is called
    std::string late = {};   // Host: what was late
};
std::vector<IdleInjection> idleInjections();

}  // namespace overlane::test
