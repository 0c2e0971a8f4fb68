// Run metrics: the figures of a run by name, one visible list that lessons, sweeps, the advisor, their
// windows and their tables speak of.
//
// Pure functions of a JudgedRun, any thread. Times in nanoseconds, sizes in bytes, rates in bytes per
// nanosecond, shares 0 to 1. NaN: the run does not tell (what a GPU run does not measure).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/runs/figure_unit.h"
#include "core/runs/judged_run.h"

namespace overlane
{

struct RunMetric {
    std::string key;          // "wall", as expressions and --metric call it; stable
    std::string label;        // "wall time"
    std::string description;  // one sentence
    std::string_view lesson;  // key of the lesson that shows it (resources/lessons)
    FigureUnit unit;
    std::function<double(const JudgedRun&)> value;
    std::string_view group;  // "Pace", "Copies", ...: what stands together in lists
    // In files and tables, with the unit behind it: "wall_ns"; stable. Times in nanoseconds, sizes in
    // bytes, rates in bytes per second.
    std::string column;
    std::string_view bound;  // key of the metric that it is never below; empty: none

    std::string title() const;  // "Wall time": alone or in front
    // "12.3 ms"; "-" where it is not known.
    std::string text(double figure) const;
    // From a figure to what its column holds.
    double columnFactor() const;
};

// Of the metrics that the program itself asks for.
namespace metric_key
{
inline constexpr std::string_view kBatch = "batch";
inline constexpr std::string_view kWall = "wall";
inline constexpr std::string_view kOverlap = "overlap";
inline constexpr std::string_view kExposed = "exposed";
inline constexpr std::string_view kIdle = "idle";
inline constexpr std::string_view kKernels = "kernels";
inline constexpr std::string_view kCopyRate = "copy_rate";
inline constexpr std::string_view kPinnedPeak = "pinned_peak";
inline constexpr std::string_view kSwapPeak = "swap_peak";
}  // namespace metric_key

// In the order in which they are shown.
std::span<const RunMetric> allRunMetrics();
const RunMetric* findRunMetric(std::string_view key);  // nullptr where there is none
// One that is known to be there.
const RunMetric& runMetric(std::string_view key);

// Beside allRunMetrics().
using RunFigures = std::vector<double>;
RunFigures runFigures(const JudgedRun& run);
double figureOf(const RunFigures& figures, const RunMetric& metric);  // NaN where there are no figures

}  // namespace overlane
