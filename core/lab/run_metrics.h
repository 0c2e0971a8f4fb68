// Run metrics: the figures of a run by name, one visible list that lessons, their exercises and
// whoever compares runs speak of.
//
// Pure functions of a JudgedRun, any thread. Times in nanoseconds, sizes in bytes, rates in bytes per
// nanosecond, shares 0 to 1. NaN: the run does not tell (what a GPU run does not measure).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/lab/figure_unit.h"
#include "core/lab/judged_run.h"

namespace overlane
{

struct RunMetric {
    std::string key;          // "wall"; stable
    std::string label;        // "wall time"
    std::string description;  // one sentence
    FigureUnit unit;
    std::function<double(const JudgedRun&)> value;
};

// In the order in which they are shown.
std::span<const RunMetric> allRunMetrics();
const RunMetric* findRunMetric(std::string_view key);  // nullptr where there is none

}  // namespace overlane
