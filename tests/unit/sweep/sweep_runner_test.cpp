// Sweeps run: the same on any number of threads, cancelled and gone on with, impossible points, GPUs that
// a function stands in for, and the file of it all.
#include "core/sweep/sweep_runner.h"

#include <atomic>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/analysis/summary.h"
#include "core/sweep/sweep_file.h"
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

const DeviceProfile& device()
{
    return *findDeviceProfile("h200");
}

SweepResult ran(const SweepPlan& plan, unsigned threads = 0)
{
    Progress progress;
    SweepOptions options;
    options.threads = threads;
    auto result = runSweep(plan, device(), progress, options);
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
    const auto run = simulate(scenarioOf(plan, 0, 0), device());
    ASSERT_TRUE(run.ok());
    EXPECT_EQ(result.spread(0, SweepMetric::Wall)->median, static_cast<double>(run.value().wallNs));
    EXPECT_EQ(result.spread(0, SweepMetric::PinnedPeak)->median, static_cast<double>(run.value().pinnedPeakBytes));
    const Summary summary = summarise(run.value().trace, Interval{0, run.value().wallNs});
    EXPECT_EQ(result.spread(0, SweepMetric::Overlap)->median, summary.worst()->overlapShare);
    EXPECT_EQ(result.spread(0, SweepMetric::Ideal)->median, static_cast<double>(summary.worst()->idealNs));
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
    EXPECT_NEAR(result.spread(0, SweepMetric::Batch)->median, 20e6, 0.2e6);
    EXPECT_NEAR(result.spread(1, SweepMetric::Batch)->median, 30e6, 0.3e6);
    EXPECT_GT(result.spread(0, SweepMetric::Wall)->median / 40, result.spread(0, SweepMetric::Batch)->median);
    // The bound is never above what was reached.
    for (const SweepMetric metric : {SweepMetric::Batch, SweepMetric::Wall})
        EXPECT_LE(*result.ideal(0, metric), result.spread(0, metric)->median * 1.001);
    EXPECT_FALSE(result.ideal(0, SweepMetric::Overlap));
}

TEST(SweepTest, RepeatsHaveASpread)
{
    SweepPlan plan = planOf({"workers=2"}, 5);
    plan.base.produceUs = 30'000;
    plan.base.produceSpread = 0.5;
    const auto spread = ran(plan).spread(0, SweepMetric::Wall);
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
    EXPECT_THAT(result.error(1), HasSubstr("Lower device_buffers"));
    EXPECT_FALSE(result.spread(1, SweepMetric::Wall));
    EXPECT_EQ(result.smallest(SweepMetric::Wall), 0U);
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
        const auto cancelled = runSweep(plan, device(), {}, sink, progress, options);
        ASSERT_FALSE(cancelled.ok());
        EXPECT_EQ(cancelled.error(), Progress::kCancelled);
        EXPECT_EQ(seen, 7);
    }
    // What was being written when the power went.
    std::ofstream(path, std::ios::app) << R"({"point":3,"repeat":1,"wall_)";
    auto half = readSweep(path);
    ASSERT_TRUE(half.ok()) << half.error();
    EXPECT_EQ(half.value().damagedLines, 1U);
    SweepResult result = std::move(half.value().result);
    EXPECT_EQ(result.runs.size(), 7U);
    EXPECT_TRUE(result.plan.sameRuns(plan));
    EXPECT_FALSE(result.complete());

    auto writer = SweepWriter::create(path, result).value();
    Progress progress;
    const std::vector<SweepRun> done = result.runs;
    std::size_t more = 0;
    const auto sink = [&](const SweepRun& run, const Trace*) {
        ++more;
        ASSERT_TRUE(writer.append(result.plan, run).ok());
    };
    ASSERT_TRUE(runSweep(result.plan, device(), done, sink, progress).ok());
    EXPECT_EQ(more, plan.runs() - 7);
    SweepResult whole = readSweep(path).value().result;
    EXPECT_TRUE(whole.complete());
    // The same as if it had never been broken off.
    const SweepResult once = ran(plan);
    for (std::size_t point = 0; point < plan.points(); ++point)
        for (const SweepMetricInfo& metric : allSweepMetrics())
            EXPECT_EQ(whole.spread(point, metric.metric)->median, once.spread(point, metric.metric)->median)
                << point << " " << metric.key;
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
        result.run = simulate(scenario, device()).value();
        result.device = "a GPU";
        --running;
        return Result<MeasuredRunResult>(std::move(result));
    };
    std::vector<SweepRun> runs;
    int traces = 0;
    Progress progress;
    ASSERT_TRUE(runSweep(
                    plan, device(), {},
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
        plan, device(), {}, [](const SweepRun&, const Trace*) {}, progress, options);
    ASSERT_FALSE(failed.ok());
    EXPECT_EQ(failed.error(), "There is no GPU here.");
}

}  // namespace
}  // namespace overlane
