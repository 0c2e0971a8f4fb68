#include "core/loader/run.h"

#include <cstdlib>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <sstream>

#include "core/loader/presets.h"
#include "core/loader/settings.h"
#include "core/trace/trace_origin.h"
#include "tests/bench/h200_pipeline_rows.h"
#include "tests/support/expect_text.h"
#include "tests/unit/loader/trace_text.h"

namespace overlane
{
namespace
{

using testing::HasSubstr;

RunResult runOn(const Scenario& scenario, std::string_view device = "h200")
{
    auto result = simulate(scenario, *findDeviceProfile(device));
    EXPECT_TRUE(result.ok()) << result.error();
    return std::move(result).value();
}

const Preset& preset(std::string_view key)
{
    for (const Preset& candidate : allPresets())
        if (candidate.key == key)
            return candidate;
    ADD_FAILURE() << "no preset " << key;
    return allPresets().front();
}

std::int64_t countKind(const Trace& trace, EventKind kind)
{
    const auto& kinds = trace.columns().kind;
    return std::count(kinds.begin(), kinds.end(), kind);
}

std::string fingerprint(const RunResult& run)
{
    return fmt::format("{} {} {}\n{}", run.wallNs, run.pinnedPeakBytes, run.swapPeakBytes, traceText(run.trace));
}

TEST(RunTest, TheSameScenarioGivesTheSameTrace)
{
    const Scenario& scenario = preset("pinned_side_stream").scenario;
    EXPECT_EQ(fingerprint(runOn(scenario)), fingerprint(runOn(scenario)));
}

TEST(RunTest, ATraceSaysWhereThreadsDifferInSpeed)
{
    EXPECT_EQ(runOn({}, "h200_vm").trace.metadata().properties.at(kThreadSpread), "0.06");
    EXPECT_FALSE(runOn({}, "h200").trace.metadata().properties.contains(kThreadSpread));
}

TEST(RunTest, EverySettingChangesSomething)
{
    // Values to try over a scenario in which the setting matters.
    const std::map<std::string, std::pair<std::string, std::vector<std::string>>> changes = {
        {"batches", {"8", {}}},
        {"batch_bytes", {"1MiB", {}}},
        {"tensors", {"5", {}}},
        {"seed", {"2", {}}},
        {"workers", {"1", {}}},
        {"prefetch_factor", {"1", {"compute_us=40000"}}},
        {"produce_us", {"30000", {}}},
        {"produce_spread", {"0.4", {}}},
        {"pin", {"thread", {}}},
        {"allocator", {"fresh", {"pin=thread"}}},
        {"non_blocking", {"true", {"pin=thread"}}},
        {"copy_stream", {"side", {"pin=thread"}}},
        {"streams", {"2", {"pin=thread", "non_blocking=true"}}},
        {"device_buffers", {"1", {"pin=thread", "non_blocking=true", "copy_stream=side", "compute_us=15000"}}},
        {"compute_us", {"100", {}}},
        {"kernel", {"memory", {}}},
        {"result_bytes", {"1MiB", {}}},
        {"read_result_early", {"true", {"result_bytes=1MiB", "pin=thread", "non_blocking=true"}}},
        {"sync_every_step", {"true", {}}},
        {"ram_bytes", {"8GiB", {}}},
        {"samples", {"32", {"read_us=10"}}},
        {"read_us", {"10", {}}},
        {"files", {"drive", {}}},
        {"file_bytes", {"40MiB", {"files=cached"}}},
        {"transform_us", {"10", {}}},
        {"compute_flops", {"1e12", {}}},
        {"run_ahead", {"2", {"pin=thread", "non_blocking=true"}}},
        {"cores", {"2", {}}},
        {"worker_node", {"1", {}}},
        {"main_node", {"1", {}}},
        {"gpu_node", {"1", {"pin=thread"}}},
        {"other_bytes", {"1GiB", {}}},
        {"swap_bytes", {"64GiB", {"ram_bytes=4.5GiB", "workers=2"}}},
    };
    for (const Setting& setting : allSettings()) {
        const auto found = changes.find(std::string(setting.key));
        ASSERT_NE(found, changes.end()) << setting.key;
        Scenario scenario;
        for (const std::string& more : found->second.second) {
            const auto split = more.find('=');
            ASSERT_TRUE(assignSetting(scenario, more.substr(0, split), more.substr(split + 1)).ok()) << more;
        }
        Scenario changed = scenario;
        ASSERT_TRUE(assignSetting(changed, setting.key, found->second.first).ok()) << setting.key;
        const DeviceProfile& device = *findDeviceProfile(setting.key.ends_with("_node") ? "a100_pcie4" : "h200");
        const auto before = simulate(scenario, device);
        const auto after = simulate(changed, device);
        const std::string beforeText = before.ok() ? fingerprint(before.value()) : before.error();
        const std::string afterText = after.ok() ? fingerprint(after.value()) : after.error();
        EXPECT_TRUE(after.ok() || setting.key == "ram_bytes") << afterText;
        EXPECT_TRUE(beforeText != afterText) << setting.key;
    }
}

TEST(RunTest, EveryPinStrategyCopiesEachBatchOnceFromTheMemoryItSays)
{
    for (const char* pin : {"none", "thread", "consumer", "ring", "register"}) {
        for (const char* workers : {"0", "3"}) {
            for (const char* allocator : {"fresh", "pool"}) {
                Scenario scenario;
                scenario.batches = 12;
                ASSERT_TRUE(assignSetting(scenario, "pin", pin).ok());
                ASSERT_TRUE(assignSetting(scenario, "workers", workers).ok());
                ASSERT_TRUE(assignSetting(scenario, "allocator", allocator).ok());
                scenario.nonBlocking = true;
                const RunResult run = runOn(scenario);
                std::int64_t bytes = 0;
                for (std::size_t at = 0; at < run.trace.eventCount(); ++at) {
                    const CopyInfo* copy = run.trace.copy(EventIndex(at));
                    if (!copy)
                        continue;
                    bytes += copy->bytes;
                    EXPECT_EQ(copy->source == MemoryKind::Pinned, std::string(pin) != "none") << pin << workers;
                }
                EXPECT_EQ(bytes, 12 * scenario.batchBytes) << pin << workers;
                EXPECT_EQ(countKind(run.trace, EventKind::Kernel), 12) << pin << workers;
                EXPECT_EQ(countKind(run.trace, EventKind::Step), 12) << pin << workers;
                EXPECT_EQ(countKind(run.trace, EventKind::Instant), 0) << pin << workers;
            }
        }
    }
}

// The rate each preset is about must come out the way its hint says.
TEST(RunTest, PinningAndASideStreamPayOffInOrder)
{
    const auto wallNs = [](std::string_view key) { return runOn(preset(key).scenario).wallNs; };
    EXPECT_LT(wallNs("pinned_blocking"), wallNs("pageable_blocking"));
    EXPECT_LT(wallNs("pinned_side_stream"), wallNs("pinned_same_stream"));
    EXPECT_LT(wallNs("pinned_side_stream"), wallNs("results_every_step"));
    EXPECT_LT(wallNs("pinned_side_stream"), wallNs("pin_in_training_thread"));
    Scenario fed = preset("loader_starved").scenario;
    fed.workers = 8;
    EXPECT_LT(static_cast<double>(runOn(fed).wallNs), 0.75 * static_cast<double>(wallNs("loader_starved")));
}

TEST(RunTest, TheLaptopDropsItsPageCacheAndSwaps)
{
    const Preset& laptop = preset("laptop_swaps");
    const RunResult swapping = runOn(laptop.scenario, laptop.device);
    EXPECT_GT(swapping.swapPeakBytes, 2ll << 30);
    Scenario bigger = laptop.scenario;
    bigger.ramBytes = 64ll << 30;
    const RunResult roomy = runOn(bigger, laptop.device);
    EXPECT_EQ(roomy.swapPeakBytes, 0);
    EXPECT_LT(roomy.wallNs, swapping.wallNs);
}

TEST(RunTest, FewerWorkersAreAsFastWhereCoresAreFew)
{
    Scenario scenario = preset("too_many_workers").scenario;
    const RunResult crowded = runOn(scenario);
    scenario.workers = 4;
    const RunResult fitting = runOn(scenario);
    EXPECT_LT(static_cast<double>(fitting.wallNs), 1.05 * static_cast<double>(crowded.wallNs));
    EXPECT_LT(fitting.pinnedPeakBytes, crowded.pinnedPeakBytes);
    scenario = preset("too_many_workers").scenario;
    scenario.cores = 16;
    EXPECT_LT(static_cast<double>(runOn(scenario).wallNs), 0.75 * static_cast<double>(crowded.wallNs));
}

TEST(RunTest, BindingToTheGpusSocketPaysOff)
{
    const Preset& far = preset("far_numa_node");
    Scenario near = far.scenario;
    near.mainNode = near.workerNode = 1;
    EXPECT_LT(static_cast<double>(runOn(near, far.device).wallNs),
              0.9 * static_cast<double>(runOn(far.scenario, far.device).wallNs));
}

// The host's read begins before the copy of what it reads has ended: seen in the trace, also by one
// who does not know of the mark.
TEST(RunTest, ReadingAResultEarlyBeginsBeforeItsCopyEnds)
{
    for (const bool early : {true, false}) {
        Scenario scenario = preset("read_before_sync").scenario;
        scenario.readResultEarly = early;
        const Trace trace = runOn(scenario).trace;
        std::vector<Interval> reads, copies;
        for (std::size_t at = 0; at < trace.eventCount(); ++at) {
            if (trace.name(EventIndex(at)) == "read result")
                reads.push_back(trace.interval(EventIndex(at)));
            if (trace.kind(EventIndex(at)) == EventKind::CopyD2H)
                copies.push_back(trace.interval(EventIndex(at)));
        }
        std::sort(reads.begin(), reads.end(), [](auto a, auto b) { return a.startNs < b.startNs; });
        std::sort(copies.begin(), copies.end(), [](auto a, auto b) { return a.startNs < b.startNs; });
        // Results still on the device at the end are read after the run's last synchronization.
        ASSERT_EQ(copies.size(), static_cast<std::size_t>(scenario.batches));
        ASSERT_EQ(reads.size(), copies.size());
        for (std::size_t batch = 0; batch < copies.size(); ++batch)
            EXPECT_EQ(reads[batch].startNs < copies[batch].endNs, early) << batch;
    }
}

TEST(RunTest, ReadingAResultEarlyIsMarkedAsHazard)
{
    Scenario scenario = preset("pinned_side_stream").scenario;
    scenario.resultBytes = 1 << 20;
    EXPECT_EQ(countKind(runOn(scenario).trace, EventKind::Instant), 0);
    scenario.readResultEarly = true;
    EXPECT_EQ(countKind(runOn(scenario).trace, EventKind::Instant), scenario.batches);
}

TEST(RunTest, ImpossibleRunsSayWhatToChange)
{
    Scenario scenario;
    scenario.ramBytes = 5ll << 30;
    scenario.batches = 100;
    scenario.workers = 64;
    const auto noMemory = simulate(scenario, *findDeviceProfile("h200"));
    ASSERT_FALSE(noMemory.ok());
    test::expectText(noMemory.error());
    EXPECT_THAT(noMemory.error(), HasSubstr("ram_bytes"));

    scenario = {};
    scenario.batchBytes = 4ll << 30;
    const auto noDeviceMemory = simulate(scenario, *findDeviceProfile("rtx3060_laptop"));
    ASSERT_FALSE(noDeviceMemory.ok());
    EXPECT_THAT(noDeviceMemory.error(), HasSubstr("device_buffers"));

    scenario = {};
    scenario.batches = 0;
    EXPECT_FALSE(simulate(scenario, *findDeviceProfile("h200")).ok());
}

TEST(RunTest, ACancelledRunSaysSo)
{
    Scenario scenario;
    scenario.batches = 10'000;
    Progress progress;
    progress.cancel();
    const auto run = simulate(scenario, *findDeviceProfile("h200"), &progress);
    ASSERT_FALSE(run.ok());
    EXPECT_TRUE(run.isCancelled());
}

TEST(RunTest, AllPresetsRun)
{
    for (const Preset& each : allPresets()) {
        const RunResult run = runOn(each.scenario, each.device);
        EXPECT_EQ(run.trace.metadata().format, "simulated");
        EXPECT_EQ(run.trace.metadata().title, each.name);
        EXPECT_TRUE(run.trace.stats().all().empty()) << each.key;
        EXPECT_EQ(scenarioFromJson(run.trace.metadata().scenarioJson).value(), each.scenario);
    }
}

TEST(PipelineTest, SimulatedWallsAreThoseMeasuredOnAnH200)
{
    const auto rows = comparePipeline(OVERLANE_SOURCE_DIR "/tests/data/h200_pipeline_16MiB.jsonl");
    const PipelineError pinned = pipelineError(rows, "pinned");
    EXPECT_EQ(pinned.rows, 56u);
    EXPECT_LT(pinned.median, 0.005);
    EXPECT_LT(pinned.worstDecile, 0.01);
    const PipelineError pageable = pipelineError(rows, "pageable");
    EXPECT_EQ(pageable.rows, 56u);
    EXPECT_LT(pageable.median, 0.015);
    EXPECT_LT(pageable.worstDecile, 0.08);
}

// Golden texts: OVERLANE_UPDATE_GOLDEN=1 writes them anew.
class GoldenTest : public testing::TestWithParam<std::string_view>
{
};

Scenario goldenScenario(std::string_view name)
{
    Scenario scenario;
    scenario.batches = 3;
    scenario.batchBytes = 8 << 20;
    scenario.tensors = 1;
    scenario.workers = 2;
    scenario.produceUs = 500;
    scenario.computeUs = 400;
    if (name == "pageable_blocking")
        return scenario;
    scenario.nonBlocking = true;
    scenario.copyStream = CopyStream::Side;
    scenario.pin = name == "ring_two_streams" ? PinStrategy::Ring : PinStrategy::Thread;
    scenario.streams = name == "ring_two_streams" ? 2 : 1;
    scenario.resultBytes = name == "ring_two_streams" ? 1 << 20 : 0;
    return scenario;
}

TEST_P(GoldenTest, TraceIsAsRecorded)
{
    const std::string path = fmt::format("{}/tests/golden/simulation/{}.txt", OVERLANE_SOURCE_DIR, GetParam());
    const std::string actual = traceText(runOn(goldenScenario(GetParam())).trace);
    if (std::getenv("OVERLANE_UPDATE_GOLDEN"))
        std::ofstream(path) << actual;
    std::ostringstream expected;
    expected << std::ifstream(path).rdbuf();
    EXPECT_EQ(actual, expected.str()) << "refresh with OVERLANE_UPDATE_GOLDEN=1 if the change is meant";
}

INSTANTIATE_TEST_SUITE_P(Simulation, GoldenTest,
                         testing::Values("pageable_blocking", "pinned_side_stream", "ring_two_streams"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace overlane
