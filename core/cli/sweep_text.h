// What `overlane sweep` prints: tables and a small plot for people, JSON for programs.
//
// Pure functions, any thread. JSON keys are stable: append, never rename.
#pragma once

#include <string>

#include "core/cli/device_figures.h"
#include "core/sweep/sweep.h"
#include "core/sweep/sweep_curves.h"

namespace overlane
{

// One setting: every figure in a row per value, and `metric` as bars with the ideal bound marked. Two:
// `metric` as a matrix where its columns fit, else a row per point.
std::string sweepText(const SweepResult& result, const RunMetric& metric);
OrderedJson sweepJson(const SweepResult& result);

std::string curvesText(const CurveSheet& sheet);
OrderedJson curvesJson(const CurveSheet& sheet);

// Ready-made sweeps and metrics with a line about each.
std::string sweepList();
OrderedJson sweepListJson();

}  // namespace overlane
