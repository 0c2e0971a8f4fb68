// JudgedRun: one run of a scenario with everything that is asked of it: analysis, steps, the judgement of the whole.
//
// Owns all of it; made on any thread, immutable afterwards. Nanoseconds and bytes.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/analysis/analysis.h"
#include "core/analysis/steps.h"
#include "core/devices/device_profile.h"
#include "core/engine/gpu_backend.h"
#include "core/judgement/judgement.h"
#include "core/loader/run.h"
#include "core/loader/scenario.h"
#include "core/runs/run_pace.h"

namespace overlane
{

struct JudgedRun {
    // `measured` is the report of a run on a GPU; none for a simulation. The profile must outlive it.
    JudgedRun(Scenario scenario, const DeviceProfile& device, RunResult run, std::optional<GpuRunReport> measured = {});

    Scenario scenario;
    const DeviceProfile* device;
    RunResult result;
    std::optional<GpuRunReport> measured;
    Analysis analysis;
    StepSequence steps;
    RunPace pace;                 // where it goes at the pace of a long run
    Judgement judgement;          // of the whole run, without findings and devices: sweeps make one for every run
    DeviceSummary gpu;            // the device it is about; zeros where nothing ran
    std::int64_t earlyReads = 0;  // results that the host read before their copy had ended

    Interval range() const { return {0, result.wallNs}; }
};

}  // namespace overlane
