// Sweeps run: the same on any number of threads, cancelled and gone on with, impossible points, GPUs that
// a function stands in for, and the file of it all.
#include "core/sweep/sweep_runner.h"

#include <atomic>
#include <cmath>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/analysis/analysis.h"
#include "core/sweep/sweep_file.h"
#include "tests/support/expect_text.h"
#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

using testing::HasSubstr;

SweepPlan planOf(std::initializer_list<const char*> axes, int repeats = 1)
{
    SweepPlan plan;
    plan.base.batches = 40;
    plan.deviceKey = "h200";
    for (const char* text : axes)
        plan.axes.push_back(parseSweepAxis(text).value());
    plan.repeats = repeats;
    return plan;
}

const DeviceProfile& profile()
{
    return *findDeviceProfile("h200");
}

SweepResult ran(const SweepPlan& plan, unsigned threads = 0)
{
    Progress progress;
    SweepOptions options;
    options.threads = threads;
    auto result = runSweep(plan, profile(), progress, options);
    EXPECT_TRUE(result.ok()) << result.error();
    return std::move(result).value();
}

std::string linesOf(const SweepResult& result)
{
    std::string lines;
    for (const SweepRun& run : result.runs)
        lines += sweepRunJson(result.plan, run) + "\n";
    return lines;
}

TEST(SweepTest, PointsGoRowByRow)
{
    const SweepPlan plan = planOf({"workers=1,2,3", "pin=none,thread"});
    EXPECT_EQ(plan.points(), 6U);
    EXPECT_EQ(plan.value(0, 0), 1);
    EXPECT_EQ(plan.value(1, 0), 1);
    EXPECT_EQ(plan.value(1, 1), 1);
    EXPECT_EQ(plan.value(4, 0), 3);
    const Scenario scenario = scenarioOf(plan, 5, 2);
    EXPECT_EQ(scenario.workers, 3);
    EXPECT_EQ(scenario.pin, PinStrategy::Thread);
    EXPECT_EQ(scenario.seed, plan.base.seed + 2);
}

TEST(SweepTest, ThreadsChangeNothing)
{
    const SweepPlan plan = planOf({"batch_bytes=1M..64M*7", "pin=none,thread"}, 2);
    EXPECT_EQ(linesOf(ran(plan, 1)), linesOf(ran(plan, 5)));
}

TEST(SweepTest, FiguresAreThoseOfTheRun)
{
    const SweepPlan plan = planOf({"workers=4"});
    const SweepResult result = ran(plan);
    const auto run = simulate(scenarioOf(plan, 0, 0), profile());
    ASSERT_TRUE(run.ok());
    EXPECT_EQ(result.spread(0, runMetric(metric_key::kWall))->median, static_cast<double>(run.value().wallNs));
    EXPECT_EQ(result.spread(0, runMetric(metric_key::kPinnedPeak))->median,
              static_cast<double>(run.value().pinnedPeakBytes));
    const Summary summary = summarize(run.value().trace, Interval{0, run.value().wallNs});
    EXPECT_EQ(result.spread(0, runMetric(metric_key::kOverlap))->median, summary.worst()->overlapShare);
    EXPECT_EQ(result.spread(0, runMetric("ideal"))->median, static_cast<double>(summary.worst()->idealNs));
}

// A batch costs what the slowest part of a long run costs, whatever happens at the ends.
TEST(SweepTest, TimePerBatchIsThatOfALongRun)
{
    SweepPlan plan = planOf({"compute_us=20000,30000"});
    plan.base.pin = PinStrategy::Thread;
    plan.base.nonBlocking = true;
    plan.base.copyStream = CopyStream::Side;
    plan.base.produceSpread = 0;
    const SweepResult result = ran(plan);
    EXPECT_NEAR(result.spread(0, runMetric(metric_key::kBatch))->median, 20e6, 0.2e6);
    EXPECT_NEAR(result.spread(1, runMetric(metric_key::kBatch))->median, 30e6, 0.3e6);
    EXPECT_GT(result.spread(0, runMetric(metric_key::kWall))->median / 40,
              result.spread(0, runMetric(metric_key::kBatch))->median);
    // The bound is never above what was reached.
    for (const std::string_view key : {metric_key::kBatch, metric_key::kWall})
        EXPECT_LE(*result.ideal(0, runMetric(key)), result.spread(0, runMetric(key))->median) << key;
    EXPECT_FALSE(result.ideal(0, runMetric(metric_key::kOverlap)));
}

TEST(SweepTest, RepeatsHaveASpread)
{
    SweepPlan plan = planOf({"workers=2"}, 5);
    plan.base.produceUs = 30'000;
    plan.base.produceSpread = 0.5;
    const auto spread = ran(plan).spread(0, runMetric(metric_key::kWall));
    EXPECT_EQ(spread->runs, 5);
    EXPECT_LT(spread->low, spread->median);
    EXPECT_LT(spread->median, spread->high);
}

TEST(SweepTest, AnImpossiblePointSaysWhy)
{
    SweepPlan plan = planOf({"device_buffers=1,64"});
    plan.base.batchBytes = 8ll << 30;
    plan.base.batches = 4;
    const SweepResult result = ran(plan);
    EXPECT_TRUE(result.complete());
    EXPECT_EQ(result.error(0), "");
    test::expectText(result.error(1));
    EXPECT_FALSE(result.spread(1, runMetric(metric_key::kWall)));
    EXPECT_EQ(result.smallest(runMetric(metric_key::kWall)), 0U);
}

TEST(SweepTest, PlansAreChecked)
{
    EXPECT_FALSE(checkSweep(planOf({})).ok());
    EXPECT_FALSE(checkSweep(planOf({"workers=1,2", "workers=3,4"})).ok());
    EXPECT_FALSE(checkSweep(planOf({"seed=1..5"}, 2)).ok());
    EXPECT_FALSE(checkSweep(planOf({"workers=1,2"}, 0)).ok());
    EXPECT_FALSE(checkSweep(planOf({"batches=1..1000*1000", "tensors=1..256"}, 100)).ok());
    EXPECT_TRUE(checkSweep(planOf({"seed=1..5"})).ok());
}

TEST(SweepTest, ACancelledSweepGoesOnFromItsFile)
{
    const SweepPlan plan = planOf({"workers=1..6", "pin=none,thread"}, 2);
    const test::TempDir folder;
    const std::string path = folder.path("sweep.jsonl");
    {
        Progress progress;
        auto writer = SweepWriter::create(path, {plan, {}}).value();
        int seen = 0;
        const auto sink = [&](const SweepRun& run, const Trace*) {
            ASSERT_TRUE(writer.append(plan, run).ok());
            if (++seen == 7)
                progress.cancel();
        };
        SweepOptions options;
        options.threads = 2;
        const auto cancelled = runSweep(plan, profile(), {}, sink, progress, options);
        ASSERT_FALSE(cancelled.ok());
        EXPECT_TRUE(cancelled.isCancelled());
        EXPECT_EQ(seen, 7);
    }
    // What was being written when the power went.
    std::ofstream(path, std::ios::app) << R"({"point":3,"repeat":1,"wall_)";
    auto half = readSweep(path);
    ASSERT_TRUE(half.ok()) << half.error();
    EXPECT_EQ(half.value().damagedLines, 1U);
    SweepResult result = std::move(half.value().result);
    EXPECT_EQ(result.runs.size(), 7U);
    EXPECT_TRUE(result.plan.base == plan.base);
    EXPECT_EQ(result.plan.deviceKey, plan.deviceKey);
    ASSERT_EQ(result.plan.axes.size(), plan.axes.size());
    for (std::size_t axis = 0; axis < plan.axes.size(); ++axis) {
        EXPECT_EQ(result.plan.axes[axis].key, plan.axes[axis].key);
        EXPECT_EQ(result.plan.axes[axis].values, plan.axes[axis].values);
    }
    EXPECT_FALSE(result.complete());

    auto writer = SweepWriter::create(path, result).value();
    Progress progress;
    const std::vector<SweepRun> done = result.runs;
    std::size_t more = 0;
    const auto sink = [&](const SweepRun& run, const Trace*) {
        ++more;
        ASSERT_TRUE(writer.append(result.plan, run).ok());
    };
    ASSERT_TRUE(runSweep(result.plan, profile(), done, sink, progress).ok());
    EXPECT_EQ(more, plan.runs() - 7);
    SweepResult whole = readSweep(path).value().result;
    EXPECT_TRUE(whole.complete());
    // The same as if it had never been broken off.
    const SweepResult once = ran(plan);
    for (std::size_t point = 0; point < plan.points(); ++point)
        for (const RunMetric& metric : allRunMetrics()) {
            const auto kept = whole.spread(point, metric);
            const auto made = once.spread(point, metric);
            ASSERT_EQ(kept.has_value(), made.has_value()) << point << " " << metric.key;
            if (kept) {  // a rate is kept per second
                EXPECT_DOUBLE_EQ(kept->median, made->median) << point << " " << metric.key;
            }
        }
}

TEST(SweepTest, FilesThatAreNoSweepsAreRefused)
{
    for (const char* text : {"", "{}", "not json", R"({"overlane_sweep":2})", R"({"overlane_sweep":1})",
                             R"({"overlane_sweep":1,"settings":{},"axes":[{"key":"gone","values":[1]}]})",
                             R"({"overlane_sweep":1,"settings":{},"axes":[{"key":"workers","values":[]}]})",
                             R"({"overlane_sweep":1,"settings":{},"axes":[{"key":"workers","values":[1e9]}]})",
                             R"({"overlane_sweep":1,"settings":{},"axes":[]})"})
        EXPECT_FALSE(parseSweep(text).ok()) << text;
    const std::string head = sweepHeadJson(planOf({"workers=1,2"}));
    EXPECT_TRUE(parseSweep(head).ok());
    const auto odd = parseSweep(head + "\n[]\n{\"point\":9,\"repeat\":0}\n{\"point\":0,\"repeat\":-1}\nx\n");
    ASSERT_TRUE(odd.ok());
    EXPECT_EQ(odd.value().damagedLines, 4U);
    EXPECT_TRUE(odd.value().result.runs.empty());
}

TEST(SweepTest, CsvHasARowPerPoint)
{
    const std::string csv = sweepCsv(ran(planOf({"workers=1,2", "pin=none,thread"})));
    EXPECT_THAT(csv, testing::StartsWith("point,workers,pin,runs,batch_ns,batch_ns_low,batch_ns_high,"));
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 5);
    EXPECT_THAT(csv, HasSubstr("\r\n3,2,thread,1,"));
}

// Kept by a version that knew fourteen figures of a run.
TEST(SweepTest, OlderFilesStillOpenAndGoOn)
{
    const auto read = readSweep(std::string(OVERLANE_SOURCE_DIR) + "/tests/data/sweep_of_fourteen_figures.jsonl");
    ASSERT_TRUE(read.ok()) << read.error();
    EXPECT_EQ(read.value().damagedLines, 0U);
    SweepResult result = read.value().result;
    ASSERT_TRUE(result.complete());
    const auto figure = [&](std::string_view key) { return result.spread(0, runMetric(key))->low; };
    EXPECT_EQ(figure("batch"), 23500341.25);
    EXPECT_EQ(figure("step_median"), 24481907);
    EXPECT_EQ(figure("wall"), 604595512);
    EXPECT_EQ(figure("overlap"), 0);
    EXPECT_EQ(figure("exposed"), 111525068);
    EXPECT_EQ(figure("ideal"), 585416386);
    EXPECT_EQ(figure("idle"), 251629464);
    EXPECT_EQ(figure("pinned_peak"), 0);
    EXPECT_EQ(figure("swap_peak"), 0);
    EXPECT_EQ(figure("host_blocked"), 359653999);
    EXPECT_EQ(figure("kernels"), 240000000);
    EXPECT_NEAR(figure("copy_rate"), 10.8281121007084, 1e-9);
    EXPECT_NEAR(figure("result_rate"), 17.86935525445092, 1e-9);
    // Their bound was that of the whole run, which may lie above the time per batch: none is shown.
    EXPECT_FALSE(result.ideal(0, runMetric("batch")));
    EXPECT_FALSE(result.spread(0, runMetric("step")));

    result.plan.repeats = 3;
    Progress progress;
    std::vector<SweepRun> more;
    const auto sink = [&more](const SweepRun& run, const Trace*) { more.push_back(run); };
    ASSERT_TRUE(runSweep(result.plan, profile(), result.runs, sink, progress).ok());
    ASSERT_EQ(more.size(), 2U);
    EXPECT_EQ(more.front().repeat, 2);
}

// Every metric has a column of its own, and what is not known stays unknown through a file.
TEST(SweepTest, FilesKeepEveryFigure)
{
    SweepResult result{planOf({"workers=1"}), {}};
    RunFigures figures;
    for (std::size_t at = 0; at < allRunMetrics().size(); ++at)
        figures.push_back(at % 7 == 3 ? std::nan("") : static_cast<double>(at) + 0.25);
    figures[static_cast<std::size_t>(&runMetric("wall") - allRunMetrics().data())] = 1e9;
    result.runs.push_back({0, 0, {}, figures, "a GPU"});
    const auto read = parseSweep(sweepHeadJson(result.plan) + "\n" + linesOf(result));
    ASSERT_TRUE(read.ok()) << read.error();
    ASSERT_EQ(read.value().result.runs.size(), 1U);
    for (const RunMetric& metric : allRunMetrics()) {
        const double kept = figureOf(read.value().result.runs[0].figures, metric);
        const double given = figureOf(figures, metric);
        EXPECT_TRUE(std::isnan(given) ? std::isnan(kept) : std::abs(kept - given) < 1e-9 * given) << metric.key;
    }
}

// On a GPU: one after the other, and what fails for the machine ends the sweep.
TEST(SweepTest, MeasuredRunsComeOneByOne)
{
    SweepPlan plan = planOf({"workers=1..4"}, 2);
    plan.engine = SweepEngine::Gpu;
    plan.gpu = 1;
    std::atomic<int> running = 0;
    SweepOptions options;
    options.threads = 4;
    options.traces = true;
    options.measure = [&](const Scenario& scenario, const MeasuredRunOptions& how, Progress&) {
        EXPECT_EQ(++running, 1);
        EXPECT_EQ(how.device, 1);
        MeasuredRunResult result;
        result.run = simulate(scenario, profile()).value();
        result.device = "a GPU";
        --running;
        return Result<MeasuredRunResult>(std::move(result));
    };
    std::vector<SweepRun> runs;
    int traces = 0;
    Progress progress;
    ASSERT_TRUE(runSweep(
                    plan, profile(), {},
                    [&](const SweepRun& run, const Trace* trace) {
                        runs.push_back(run);
                        traces += trace != nullptr;
                    },
                    progress, options)
                    .ok());
    EXPECT_EQ(runs.size(), 8U);
    EXPECT_EQ(traces, 4);
    EXPECT_EQ(runs.front().device, "a GPU");

    options.measure = [](const Scenario&, const MeasuredRunOptions&, Progress&) {
        return Result<MeasuredRunResult>(Error{"There is no GPU here."});
    };
    const auto failed = runSweep(
        plan, profile(), {}, [](const SweepRun&, const Trace*) {}, progress, options);
    ASSERT_FALSE(failed.ok());
    EXPECT_EQ(failed.error(), "There is no GPU here.");
}

// Ctrl-C reaches the process of a run before the sweep knows of it.
TEST(SweepTest, ARunThatWasCancelledIsNoFailure)
{
    SweepPlan plan = planOf({"workers=1..4"});
    plan.engine = SweepEngine::Gpu;
    for (const int runsBefore : {0, 2}) {
        int asked = 0;
        std::vector<SweepRun> told;
        SweepOptions options;
        options.measure = [&](const Scenario& scenario, const MeasuredRunOptions&, Progress&) {
            if (asked++ == runsBefore)
                return Result<MeasuredRunResult>(Error::cancelled());
            MeasuredRunResult result;
            result.run = simulate(scenario, profile()).value();
            return Result<MeasuredRunResult>(std::move(result));
        };
        Progress progress;
        const auto ended = runSweep(
            plan, profile(), {}, [&](const SweepRun& run, const Trace*) { told.push_back(run); }, progress, options);
        EXPECT_TRUE(ended.isCancelled()) << runsBefore;
        EXPECT_EQ(told.size(), static_cast<std::size_t>(runsBefore)) << "a run that was cancelled has no row";
    }
}

}  // namespace
}  // namespace overlane
