// Runs a scenario in the simulation and returns its trace: the one entry point of laboratory, command line and tests.
// Runs on a GPU enter by core/runs/measured_run.h.
//
// Blocks; any thread, several at once, and the same answer for the same seed. Nanoseconds, bytes.
#pragma once

#include <cstdint>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/devices/device_profile.h"
#include "core/loader/scenario.h"
#include "core/trace/trace.h"

namespace overlane
{

struct RunResult {
    Trace trace;                       // t = 0 is the start of the run; origin() is Simulated
    std::int64_t wallNs = 0;           // start of the run to the last synchronization
    std::int64_t pinnedPeakBytes = 0;  // page-locked memory at its highest
    std::int64_t swapPeakBytes = 0;
};

// Simulates on a virtual clock: deterministic for a scenario and a profile, any thread.
Result<RunResult> simulate(const Scenario& scenario, const DeviceProfile& device, Progress* progress = nullptr);

}  // namespace overlane
