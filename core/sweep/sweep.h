// Sweep: one scenario with one or two settings taken through their values, each point run one or more
// times; and what came of it.
//
// Plain data and pure functions, any thread; sweep_runner.h runs a sweep, sweep_file.h keeps it. Points
// are numbered row by row: the first axis slowest. Repeats differ in the seed. Times in nanoseconds,
// sizes in bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/devices/device_profile.h"
#include "core/runs/run_metrics.h"
#include "core/sweep/sweep_axis.h"

namespace overlane
{

enum class SweepEngine : std::uint8_t { Simulated, Gpu };
std::string_view sweepEngineName(SweepEngine engine);  // "simulated", "gpu"; stable

struct SweepPlan {
    std::string title;  // for people; not part of what is run
    Scenario base;
    std::string deviceKey;  // of the profile that is simulated
    SweepEngine engine = SweepEngine::Simulated;
    int gpu = 0;  // which of this machine's GPUs
    std::vector<SweepAxis> axes;
    int repeats = 1;

    std::size_t points() const;
    std::size_t runs() const { return points() * static_cast<std::size_t>(repeats); }
    // The place on each axis, and its value.
    std::vector<std::size_t> places(std::size_t point) const;
    double value(std::size_t point, std::size_t axis) const;
};

constexpr int kMostRepeats = 100;
constexpr std::size_t kMostSweepRuns = 100'000;

// One or two axes of different settings, repeats that differ. A point whose settings are impossible is
// no reason: it gets an error of its own.
Result<void> checkSweep(const SweepPlan& plan);
// "batch_bytes x pin"; what the plan is about where it has no title.
std::string sweepTitle(const SweepPlan& plan);
Scenario scenarioOf(const SweepPlan& plan, std::size_t point, int repeat);

struct SweepRun {
    std::size_t point = 0;
    int repeat = 0;
    std::string error;   // why there are no figures; empty where there are
    RunFigures figures;  // none where there is an error; NaN for what is not known
    std::string device;  // the GPU's name, where it was one
};

struct SweepSpread {
    double median = 0;
    double low = 0;  // smallest and largest of the repeats
    double high = 0;
    int runs = 0;
};

struct SweepResult {
    SweepPlan plan;
    std::vector<SweepRun> runs;  // as they ended; no (point, repeat) twice

    bool complete() const { return runs.size() == plan.runs(); }
    // None where no repeat of the point knows the figure.
    std::optional<SweepSpread> spread(std::size_t point, const RunMetric& metric) const;
    // The median of what bounds the metric, never above the metric's own; none where nothing does.
    std::optional<double> ideal(std::size_t point, const RunMetric& metric) const;
    // Why a point has no figures; empty where it has or has not run.
    std::string error(std::size_t point) const;
    // The point with the smallest median.
    std::optional<std::size_t> smallest(const RunMetric& metric) const;
};

}  // namespace overlane
