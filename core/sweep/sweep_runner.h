// Runs a sweep: simulated on all cores, on a GPU one run after the other.
//
// Blocks until all is run or cancelled; any thread. What it tells of goes to the sink, one run at a
// time and never two at once, from whichever thread ran it. A simulated run is the same on any number
// of threads.
#pragma once

#include <functional>
#include <span>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/runs/measured_run.h"
#include "core/sweep/sweep.h"

namespace overlane
{

struct SweepOptions {
    unsigned threads = 0;  // 0: as many as the machine has cores
    bool force = false;    // on a GPU: lifts the limit on page-locked memory
    // The sink also gets the trace of a point's first run.
    bool traces = false;
    // Runs a scenario on a GPU; measure() unless a test stands in for it.
    std::function<Result<MeasuredRunResult>(const Scenario&, const MeasuredRunOptions&, Progress&)> measure;
};

// `trace` is nullptr unless it was asked for.
using SweepSink = std::function<void(const SweepRun& run, const Trace* trace)>;

// Runs what `done` does not hold; runs that failed before are tried again. An impossible point is a run with an
// error; a machine that cannot run at all, and cancelling, end the sweep with an Error.
Result<void> runSweep(const SweepPlan& plan, const DeviceProfile& device, std::span<const SweepRun> done,
                      const SweepSink& sink, Progress& progress, const SweepOptions& options = {});

// All of it, in the order of the points.
Result<SweepResult> runSweep(const SweepPlan& plan, const DeviceProfile& device, Progress& progress,
                             const SweepOptions& options = {});

}  // namespace overlane
