// What `overlane run` says of a run, simulated or measured, and its JSON.
//
// Pure functions, any thread. JSON keys are stable: append, never rename. Nanoseconds, bytes.
#pragma once

#include "core/cli/device_figures.h"
#include "core/cli/scenario_options.h"
#include "core/judgement/judgement.h"
#include "core/loader/run.h"
#include "core/runs/measured_run.h"

namespace overlane
{

struct RunReport {
    const ChosenScenario& plan;
    const RunResult& result;
    const MeasuredRunResult* measured;  // nullptr for a simulation
    DeviceSummary device;               // zeros where nothing ran
    Judgement judgement;                // of the whole run
};

RunReport reportOf(const ChosenScenario& plan, const RunResult& result, const MeasuredRunResult* measured);
OrderedJson runJson(const RunReport& report);

}  // namespace overlane
