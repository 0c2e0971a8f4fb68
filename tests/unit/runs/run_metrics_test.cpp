// The one list of a run's metrics: its keys and columns, and the part of a run that its pace is taken from.
#include "core/runs/run_metrics.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "core/loader/settings.h"
#include "tests/support/sample_traces.h"

namespace overlane
{
namespace
{

TEST(RunMetricsTest, KeysAndColumnsStandOnce)
{
    std::set<std::string> columns;
    for (const RunMetric& metric : allRunMetrics()) {
        EXPECT_EQ(&runMetric(metric.key), &metric) << metric.key << " stands twice";
        EXPECT_EQ(findSetting(metric.key), nullptr) << metric.key << " is a setting, too";
        EXPECT_TRUE(columns.insert(metric.column).second) << metric.column << " stands twice";
        EXPECT_FALSE(metric.group.empty()) << metric.key;
        EXPECT_EQ(metric.description.back(), '.') << metric.key;
        if (!metric.bound.empty()) {
            EXPECT_TRUE(runMetric(metric.bound).unit.sameAs(metric.unit)) << metric.key;
        }
    }
    for (const std::string_view key :
         {metric_key::kBatch, metric_key::kWall, metric_key::kOverlap, metric_key::kExposed, metric_key::kIdle,
          metric_key::kKernels, metric_key::kCopyRate, metric_key::kPinnedPeak, metric_key::kSwapPeak})
        EXPECT_NE(findRunMetric(key), nullptr) << key;
}

// Files and tables hold them under these names since the first version.
TEST(RunMetricsTest, ColumnsThatPeopleHave)
{
    const std::pair<std::string_view, std::string_view> kKept[] = {
        {"batch", "batch_ns"},       {"step_median", "step_ns"},
        {"wall", "wall_ns"},         {"overlap", "overlap_share"},
        {"ideal", "ideal_ns"},       {"exposed", "exposed_copy_ns"},
        {"distance", "distance"},    {"idle", "idle_ns"},
        {"kernels", "kernel_ns"},    {"pinned_peak", "pinned_peak_bytes"},
        {"copy_rate", "h2d_rate"},   {"swap_peak", "swap_peak_bytes"},
        {"result_rate", "d2h_rate"}, {"host_blocked", "host_blocked_ns"},
    };
    for (const auto& [key, column] : kKept)
        EXPECT_EQ(runMetric(key).column, column);
    EXPECT_EQ(runMetric("copy_rate").columnFactor(), 1e9);
    EXPECT_EQ(runMetric("copy_rate").text(55.5), "55.5\u2009GB/s");
    EXPECT_EQ(runMetric("wall").text(std::nan("")), "-");
    EXPECT_EQ(runMetric("wall").title(), "Wall time");
}

StepSequence stepsEvery(std::int64_t ns, std::int64_t count)
{
    StepSequence steps;
    for (std::int64_t at = 0; at < count; ++at)
        steps.steps.push_back({{at * ns, (at + 1) * ns}, "", at, ns, false, false});
    return steps;
}

// Calls of copies to the device that take these times, the wait behind each included where `waitNs` is not 0.
double copyCallOf(std::initializer_list<std::int64_t> callsNs, std::int64_t waitNs, std::int64_t waitAfterNs,
                  std::int64_t tensors = 1)
{
    Scenario scenario;
    scenario.tensors = tensors;
    test::SampleTrace sample;
    std::int64_t atNs = 0;
    std::uint32_t id = 1;
    for (const std::int64_t callNs : callsNs) {
        const std::int64_t waitsFromNs = atNs + callNs + waitAfterNs;
        sample.host(EventKind::RuntimeCall, atNs, atNs + callNs, "cudaMemcpyAsync", id);
        sample.copy(EventKind::CopyH2D, atNs, atNs + callNs, MemoryKind::Pinned, 1000, 7, AsyncFlag::Async, id);
        if (waitNs > 0)
            sample.host(EventKind::RuntimeCall, waitsFromNs, waitsFromNs + waitNs, "cudaStreamSynchronize");
        atNs += 10'000'000;
        ++id;
    }
    RunResult result{sample.build(), atNs};
    return runMetric("copy_call").value(JudgedRun(scenario, *findDeviceProfile("h200"), std::move(result)));
}

// On a GPU single calls wait for the driver while another thread page-locks memory: no mean survives them.
TEST(RunMetricsTest, CopyCallIsTheUsualOneWithItsOwnWait)
{
    EXPECT_EQ(copyCallOf({2000, 2100, 5'000'000, 2200, 2300}, 0, 0), 2200);
    EXPECT_EQ(copyCallOf({2000, 2000, 2000}, 900'000, 500), 902'500);
    // The first tensor of a batch waits for the kernels, the second for itself.
    EXPECT_EQ(copyCallOf({6'000'000, 400'000, 6'200'000, 400'000, 9'000'000, 8'000'000}, 0, 0, 2), 3'300'000);
    // A wait that comes later is for something else.
    EXPECT_EQ(copyCallOf({2000, 2000, 2000}, 900'000, 100'000), 2000);
}

TEST(RunPaceTest, LeavesOutTheEndsInWholeRoundsOfTheWorkers)
{
    Scenario scenario;
    scenario.batches = 100;
    scenario.workers = 3;
    scenario.prefetchFactor = 2;
    scenario.deviceBuffers = 2;
    const RunPace pace = runPace(scenario, stepsEvery(1000, 100), 100'000);
    // From batch 6 + 4 + 1 on, and 8 before the last one at most.
    EXPECT_EQ(pace.range.startNs, 11'000);
    EXPECT_EQ(pace.batches, 78);
    EXPECT_EQ(pace.range.endNs, 89'000);
    EXPECT_EQ(pace.batchNs(), 1000);
}

TEST(RunPaceTest, AShortRunCountsAsAWhole)
{
    Scenario scenario;
    scenario.batches = 20;
    scenario.workers = 4;
    const RunPace pace = runPace(scenario, stepsEvery(1000, 20), 25'000);
    EXPECT_EQ(pace.range.startNs, 0);
    EXPECT_EQ(pace.range.endNs, 25'000);
    EXPECT_EQ(pace.batchNs(), 1250);
    // A recording that lost batches, too.
    scenario.batches = 200;
    EXPECT_EQ(runPace(scenario, stepsEvery(1000, 150), 25'000).batches, 200);
}

}  // namespace
}  // namespace overlane
