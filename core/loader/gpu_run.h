// Runs a scenario on a real GPU: the same loader, in real time and real memory.
//
// Blocks for as long as the run takes; one run at a time, any thread. The trace has the tracks of a
// simulated one.
#pragma once

#include "core/engine/gpu_backend.h"
#include "core/loader/run.h"

namespace overlane
{

struct GpuRunOptions {
    int device = 0;
    bool force = false;  // lifts the limit on page-locked memory
};

struct GpuRunResult {
    RunResult run;  // swap is not measured
    GpuRunReport report;
};

Result<GpuRunResult> runOnGpu(const Scenario& scenario, GpuBackend& backend, const GpuRunOptions& options,
                              Progress* progress = nullptr);

}  // namespace overlane
