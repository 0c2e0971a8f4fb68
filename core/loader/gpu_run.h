// Runs a scenario on a real GPU: the same loader, in real time and real memory.
//
// Blocks for as long as the run takes; one run at a time in a process, any thread. Its trace is what
// a recording of this process holds; core/runs/measured_run.h makes the two together.
#pragma once

#include "core/engine/gpu_backend.h"
#include "core/loader/scenario.h"

namespace overlane
{

struct GpuRunOptions {
    int device = 0;
    bool force = false;          // lifts the limit on page-locked memory
    std::string spoolDirectory;  // of the recording; empty: none
};

struct GpuRunResult {
    std::int64_t wallNs = 0;  // start of the run to the last synchronization
    std::string device;       // the GPU's name
    GpuRunReport report;
};

Result<GpuRunResult> runOnGpu(const Scenario& scenario, GpuBackend& backend, const GpuRunOptions& options,
                              Progress* progress = nullptr);

}  // namespace overlane
