// Ready-made sweeps: the questions people ask first, each with its settings, its ranges and the figure
// to look at.
//
// One visible list; a new one is one entry of it. Ranges follow the settings that a sweep starts from.
// Pure functions, any thread.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "core/sweep/sweep.h"
#include "core/sweep/sweep_curves.h"

namespace overlane
{

struct ReadySweep {
    std::string_view key;                          // "workers"; stable
    std::string_view title;                        // "Step time against workers"
    std::string_view hint;                         // one sentence: what to look for
    std::string_view metric = metric_key::kBatch;  // to look at
    // One of the two: a sweep of scenarios, or curves from the figures of a profile.
    std::function<SweepPlan(const Scenario& base, const DeviceProfile& device)> plan;
    std::function<CurveSheet(const DeviceProfile& device)> curves;
};

std::span<const ReadySweep> allSweeps();
const ReadySweep* findReadySweep(std::string_view key);  // nullptr where there is none

}  // namespace overlane
