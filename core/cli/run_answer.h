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
    Summary whole;                      // of the run from its start, which JSON tells as info's does of a trace
    Judgement judgement;                // of the active range, so that info says the same of the saved trace

    DeviceSummary device() const;  // of the whole run; zeros where nothing ran
    DeviceSummary judged() const;  // of the active range
};

RunReport reportOf(const ChosenScenario& plan, const RunResult& result, const MeasuredRunResult* measured);
OrderedJson runJson(const RunReport& report);

}  // namespace overlane
