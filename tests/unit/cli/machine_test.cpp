#include <filesystem>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "core/base/units.h"
#include "core/cli/cli.h"
#include "core/cli/machine_text.h"
#include "core/content/terminal.h"
#include "core/pressure/pressure_blocks.h"
#include "tests/support/expect_text.h"
#include "tests/unit/cli/called_command.h"

namespace overlane
{
namespace
{

using testing::HasSubstr;

MachineReport twoSockets()
{
    MachineReport report;
    report.memory.parts.totalBytes = 64 * kGiB;
    report.memory.parts.availableBytes = 40 * kGiB;
    report.memory.parts.pageCacheBytes = 30 * kGiB;
    report.memory.parts.swapTotalBytes = 8 * kGiB;
    for (int id = 0; id < 2; ++id) {
        NumaNode node;
        node.id = id;
        node.processors = {2 * id, 2 * id + 1};
        node.cores = 2;
        node.socket = id;
        node.totalBytes = 32 * kGiB;
        node.distances = id == 0 ? std::vector{10, 32} : std::vector{32, 10};
        report.topology.nodes.push_back(node);
    }
    NumaGpu gpu;
    gpu.name = "NVIDIA H200";
    gpu.address = "0000:c1:00.0";
    gpu.nvidia = true;
    gpu.node = 1;
    gpu.linkWidth = 8;
    gpu.widestLink = 16;
    gpu.linkSpeed = "32.0 GT/s PCIe";
    report.topology.gpus.push_back(gpu);
    report.placements.emplace_back("NVIDIA H200", NodePlacement{2, 1, {41e9, 55e9}});
    report.gpuState = "A GPU is here.";
    return report;
}

TEST(MachineText, ShowsNodesGpusRatesAndTheLineToBindWith)
{
    const std::string text = machineText(twoSockets());
    test::expectNarrow(text);
    test::expectText(text);
    EXPECT_THAT(text, HasSubstr("2-3"));
}

TEST(MachineText, WarningsStandBehindTheMemory)
{
    MachineReport report = twoSockets();
    report.memory.swapBytesPerSecond = 5e6;
    report.memory.parts.swapUsedBytes = kGiB;
    const std::string text = machineText(report);
    test::expectText(text);
    const OrderedJson json = machineJson(report);
    EXPECT_EQ(json["warnings"][0]["key"], "swap_traffic");
    EXPECT_EQ(json["warnings"][0]["level"], "alarm");
}

TEST(MachineText, JsonHasTheSame)
{
    const OrderedJson json = machineJson(twoSockets());
    EXPECT_EQ(json["numactl"], "numactl --cpunodebind=1 --membind=1 python train.py");
    EXPECT_EQ(json["nodes"][1]["processors"], "2-3");
    EXPECT_EQ(json["nodes"][0]["distances"][1], 32);
    EXPECT_EQ(json["gpus"][0]["node"], 1);
    EXPECT_EQ(json["placements"][0]["copy_bytes_per_second"][1], 55e9);
    EXPECT_EQ(json["memory"]["ram_bytes"], 64 * kGiB);
}

TEST(MachineCommand, DescribesThisMachine)
{
    const test::Outcome called = test::call({"machine", "--json", "--no-measure"});
    ASSERT_EQ(called.code, kExitOk) << called.err;
    const auto json = nlohmann::json::parse(called.out);
    EXPECT_GT(json["memory"]["ram_bytes"].get<std::int64_t>(), 0);
    EXPECT_GE(json["nodes"].size(), 1u);
    EXPECT_FALSE(json["binding"].get<std::string>().empty());
}

TEST(MachineCommand, ReckonsWithALoader)
{
    const test::Outcome called =
        test::call({"machine", "--no-measure", "--device", "rtx3060_laptop", "--set", "pin=thread", "--set",
                    "workers=8", "--set", "prefetch_factor=6", "--set", "batch_bytes=256MiB", "--set", "batches=500"});
    ASSERT_EQ(called.code, kExitOk) << called.err;
    test::expectNarrow(called.out);
    // 8 x 6 outstanding, one in hand, one being copied.
    EXPECT_THAT(called.out, HasSubstr("Loader: " + formatBytes(kMiB * 50 * 256) + " pinned"));
    EXPECT_THAT(called.out, HasSubstr("Lower prefetch_factor from 6 to "));
    const test::Outcome json = test::call({"machine", "--no-measure", "--json", "--preset", "pinned_side_stream"});
    ASSERT_EQ(json.code, kExitOk) << json.err;
    const auto loader = nlohmann::json::parse(json.out)["loader"];
    EXPECT_EQ(loader["machines"].size(), 4u);
    EXPECT_EQ(loader["machines"][2]["fit"], "drops_cache");
    test::expectFailure(test::call({"machine", "--set", "worker=3"}), kExitUsage, "did you mean 'workers'");
}

TEST(PressureCommand, ADryRunOnlySaysWhatItWouldDo)
{
    const test::Outcome called = test::call({"pressure", "--dry-run"});
    EXPECT_EQ(called.code, kExitOk) << called.err;
    EXPECT_THAT(called.out, HasSubstr("page cache, model"));
    test::expectNarrow(called.out);
    const test::Outcome json = test::call({"pressure", "--dry-run", "--json", "--limit", "256M", "--working-set", "64M",
                                           "--data", "32M", "--pinned", "0", "--pinned", "100M"});
    ASSERT_EQ(json.code, kExitOk) << json.err;
    const auto plan = nlohmann::json::parse(json.out);
    EXPECT_EQ(plan["limit_bytes"], 256 * kMiB);
    ASSERT_EQ(plan["steps"].size(), 2u);
    EXPECT_EQ(plan["steps"][1]["pinned_bytes"], 100 * kMiB);
    EXPECT_EQ(plan["steps"][0]["page_cache_bytes_model"], 32 * kMiB);
}

TEST(PressureCommand, RefusesWithItsReasonsAndStartsNothing)
{
    const test::Outcome called = test::call({"pressure", "--yes", "--folder", "/proc"});
    test::expectFailure(called, kExitFailed, "will not run here");
    EXPECT_THAT(called.err, HasSubstr("other than ext4 and xfs"));
}

TEST(PressureText, ConcludesFromWhatWasFelt)
{
    PressureReport report;
    for (const std::int64_t medianNs : {1'000'000, 1'100'000, 9'000'000}) {
        PressureStep step;
        step.pinnedBytes = static_cast<std::int64_t>(report.steps.size()) * 64 * kMiB;
        step.batches = 10;
        step.medianBatchNs = medianNs;
        step.slowBatchNs = 123 * medianNs;
        step.pressurePercent = 12;
        step.usage.pageCacheBytes = 123 * kMiB;
        step.expected = {101 * kMiB, 102 * kMiB};
        step.usage.swapBytes = medianNs > 5'000'000 ? 20 * kMiB : 0;
        report.steps.push_back(step);
    }
    EXPECT_DOUBLE_EQ(report.slowdown(), 9);
    const std::string text = terminalText(reportBlocks({}, report));
    test::expectNarrow(text);
    test::expectText(text);
    EXPECT_THAT(text, HasSubstr("Swap was in use from " + formatBytes(128 * kMiB) + " pinned on"));
    report.steps.pop_back();
    test::expectText(terminalText(reportBlocks({}, report)));
}

}  // namespace
}  // namespace overlane
