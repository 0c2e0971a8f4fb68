// Sweep: one scenario with one or two settings taken through their values, each point run one or more
// times; and what came of it.
//
// Plain data and pure functions, any thread; sweep_runner.h runs a sweep, sweep_file.h keeps it. Points
// are numbered row by row: the first axis slowest. Repeats differ in the seed. Times in nanoseconds,
// sizes in bytes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/engine/device_profile.h"
#include "core/loader/run.h"
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
    // Whether both run the same things, so that one may go on with the runs of the other.
    bool sameRuns(const SweepPlan& other) const;
};

constexpr int kMostRepeats = 100;
constexpr std::size_t kMostSweepRuns = 100'000;

// One or two axes of different settings, repeats that differ. A point whose settings are impossible is
// no reason: it gets an error of its own.
Result<void> checkSweep(const SweepPlan& plan);
// "batch_bytes x pin"; what the plan is about where it has no title.
std::string sweepTitle(const SweepPlan& plan);
Scenario scenarioOf(const SweepPlan& plan, std::size_t point, int repeat);

enum class SweepMetric : std::uint8_t {
    Batch,        // time per batch: see sweepFigures()
    Step,         // median step, as everywhere
    Wall,         // start of the run to the last synchronisation
    Overlap,      // share of host-to-device copy time under kernels
    Exposed,      // host-to-device copy time outside kernels
    Ideal,        // the longest of copies, kernels and busiest host actor
    Distance,     // wall / ideal
    Idle,         // neither kernel nor copy
    PinnedPeak,   // page-locked memory at its highest
    SwapPeak,     // simulated only
    HostBlocked,  // a thread held by the GPU runtime
    Kernels,      // kernel time
    H2dRate,      // bytes per second while a host-to-device copy ran
    D2hRate,
};
constexpr std::size_t kSweepMetricCount = 14;

enum class MetricUnit : std::uint8_t { Time, Share, Ratio, Bytes, Rate };

struct SweepMetricInfo {
    SweepMetric metric;
    std::string_view key;    // "batch_ns"; stable
    std::string_view label;  // "Time per batch"
    std::string_view meaning;
    MetricUnit unit;
};
// In the order of the enum.
std::span<const SweepMetricInfo> allSweepMetrics();
const SweepMetricInfo& metricInfo(SweepMetric metric);
const SweepMetricInfo* findSweepMetric(std::string_view key);
// "5.12 ms", "98.2 %", "1.02", "256 MiB", "55.5 GB/s".
std::string metricText(MetricUnit unit, double value);

using SweepFigures = std::array<double, kSweepMetricCount>;

// The figures of one run. The time per batch leaves out the batches that were in flight when the loader
// started and when it ran dry (workers x prefetch_factor at either end, and those on the device), and counts
// whole rounds of the workers: the pace of a long run. A run too short for that counts as a whole.
SweepFigures sweepFigures(const Scenario& scenario, const RunResult& run);

struct SweepRun {
    std::size_t point = 0;
    int repeat = 0;
    std::string error;  // why there are no figures; empty where there are
    SweepFigures figures{};
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
    // None where no repeat of the point has figures yet.
    std::optional<SweepSpread> spread(std::size_t point, SweepMetric metric) const;
    // The bound of the metric: the ideal time of the run, for a time per batch or step divided by the batches;
    // none for other metrics.
    std::optional<double> ideal(std::size_t point, SweepMetric metric) const;
    // Why a point has no figures; empty where it has or has not run.
    std::string error(std::size_t point) const;
    // The point with the smallest median.
    std::optional<std::size_t> smallest(SweepMetric metric) const;
};

}  // namespace overlane
