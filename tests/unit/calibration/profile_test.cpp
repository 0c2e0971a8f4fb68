#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/calibration/calibrated_profile.h"
#include "core/calibration/calibration_figures.h"
#include "core/calibration/calibration_plots.h"
#include "core/calibration/calibration_text.h"
#include "core/devices/profile_figures.h"
#include "core/devices/user_profiles.h"
#include "core/loader/run.h"
#include "tests/support/expect_text.h"
#include "tests/unit/calibration/made_up_samples.h"

namespace overlane
{
namespace
{

using testing::StartsWith;

CalibratedProfile madeUp()
{
    return calibratedProfile(recordOf(madeUpSamples(), "2026-11-21", false));
}

MATCHER_P2(Within, wanted, share, "")
{
    return std::abs(static_cast<double>(arg) - wanted) <= share * wanted;
}

TEST(CalibratedProfileTest, FiguresAreThoseOfTheMachineThatWasMadeUp)
{
    const DeviceProfile p = madeUp().profile;
    EXPECT_THAT(p.h2dBytesPerSecond, Within(20e9, 0.001));
    EXPECT_THAT(p.d2hBytesPerSecond, Within(19e9, 0.001));
    EXPECT_THAT(p.bidirectionalBytesPerSecond, Within(36e9, 0.001));
    EXPECT_THAT(p.copyLatencyNs, Within(1800.0, 0.01));
    EXPECT_EQ(p.submitLatencyNs, 3000);
    EXPECT_EQ(p.syncReturnNs, 3000);
    EXPECT_EQ(p.dependencyLatencyNs, 4000);
    EXPECT_EQ(p.copyCallNs, 1500);
    EXPECT_EQ(p.launchCallNs, 3000);
    EXPECT_EQ(p.eventCallNs, 500);
    EXPECT_EQ(p.syncCallNs, 900);
    EXPECT_EQ(p.runAheadLaunches, 1022);
    EXPECT_EQ(p.concurrentKernels, 32);
    EXPECT_THAT(p.copyKernelSlowdown, Within(1.04, 0.001));
    EXPECT_EQ(p.stagingChunkBytes, kMadeUpMiB);
    EXPECT_THAT(p.stagingWarmBytesPerSecond, Within(8e9, 0.002));
    EXPECT_THAT(p.stagingColdBytesPerSecond, Within(5e9, 0.002));
    EXPECT_THAT(p.stagingD2hBytesPerSecond, Within(6e9, 0.002));
    EXPECT_GT(p.lastLevelCacheBytes, 64 * kMadeUpMiB);
    EXPECT_LT(p.lastLevelCacheBytes, 256 * kMadeUpMiB);
    EXPECT_THAT(p.hostMemcpyBytesPerSecond, Within(10e9, 0.001));
    EXPECT_THAT(p.hostMemcpyWarmBytesPerSecond, Within(14e9, 0.001));
    EXPECT_THAT(p.hostWriteBytesPerSecond, Within(9e9, 0.001));
    EXPECT_THAT(p.hostMemoryBytesPerSecond, Within(80e9, 0.001)) << "reads and writes";
    EXPECT_THAT(p.freshPagesBytesPerSecond, Within(4e9 * std::sqrt(8), 0.001));
    EXPECT_EQ(p.handOverNs, 25'000);
    EXPECT_EQ(p.hostCores, 8);
    EXPECT_EQ(p.ramBytes, std::int64_t{64} << 30);
    EXPECT_EQ(p.remoteMemoryRatio, 1);
    EXPECT_THAT(p.peakFlopsPerSecond * p.sustainedFlopsShare, Within(90e12, 0.001));
    EXPECT_THAT(p.hostAllocCost.costNs(kMadeUpMiB), Within(200'000 + nsFor(kMadeUpMiB, 3e9), 0.001));
    EXPECT_THAT(p.sharedTouchCost.costNs(256 * kMadeUpMiB), Within(nsFor(256 * kMadeUpMiB, 3e9), 0.001));
}

TEST(CalibratedProfileTest, EveryMeasuredFigureHasASpreadAroundItAndASource)
{
    const DeviceProfile p = madeUp().profile;
    for (const ProfileFigure& figure : profileFigures()) {
        ASSERT_TRUE(p.sources.contains(figure.key)) << figure.key;
        const std::string& source = p.sources.at(figure.key);
        const auto spread = p.spreads.find(figure.key);
        if (spread == p.spreads.end())
            continue;
        test::expectText(source);
        EXPECT_LE(spread->second.low, spread->second.high) << figure.key;
        const std::string_view key = figure.key;
        if (key != "staging_chunk_bytes" && key != "concurrent_kernels") {  // rounded
            EXPECT_LE(spread->second.low, figure.valueIn(p) + 1) << figure.key;
            EXPECT_GE(spread->second.high, figure.valueIn(p) - 1) << figure.key;
        }
    }
    EXPECT_GT(p.spreads.size(), 100u) << "rows of tables have theirs too";
    EXPECT_EQ(p.spreads.at(rowKey("host_alloc_us", 4096)).samples, 9);
}

TEST(CalibratedProfileTest, WhatWasNotMeasuredKeepsTheNearestProfilesValueAndSaysSo)
{
    CalibrationSamples samples = madeUpSamples();
    std::erase_if(samples.series, [](const ProbeSeries& each) {
        return each.probe == "run_ahead" || each.probe == "host_register" || each.probe == "hand_over";
    });
    const CalibrationRecord record = recordOf(samples, "2026-11-21", false);
    const DeviceProfile& nearest = nearestProfile(record);
    const DeviceProfile p = calibratedProfile(record).profile;
    EXPECT_EQ(p.runAheadLaunches, nearest.runAheadLaunches);
    EXPECT_EQ(p.handOverNs, nearest.handOverNs);
    EXPECT_EQ(p.hostRegisterCost.costNs(kMadeUpMiB), nearest.hostRegisterCost.costNs(kMadeUpMiB));
    for (const char* key : {"run_ahead_launches", "host_register_us", "hand_over_ns", "storage_bytes_per_second"}) {
        test::expectText(p.sources.at(key));
        EXPECT_FALSE(p.spreads.contains(key)) << key;
    }
}

TEST(CalibratedProfileTest, ADataSheetOfTheSameGpuIsKept)
{
    CalibrationSamples samples = madeUpSamples();
    samples.machine.gpu = "NVIDIA H200";
    const CalibrationRecord record = recordOf(samples, "2026-11-21", false);
    EXPECT_EQ(nearestProfile(record).key, "h200");
    const DeviceProfile p = calibratedProfile(record).profile;
    EXPECT_EQ(p.peakFlopsPerSecond, findDeviceProfile("h200")->peakFlopsPerSecond);
    test::expectText(p.sources.at("device_memory_bytes_per_second"));
    EXPECT_THAT(p.h2dBytesPerSecond, Within(20e9, 0.001)) << "what was measured is taken all the same";
}

TEST(CalibratedProfileTest, TheNearestProfileIsThatOfTheSameModelElseTheMostAlike)
{
    for (const auto& [gpu, key] : {std::pair{"NVIDIA H200", "h200"}, std::pair{"NVIDIA A100-SXM4-80GB", "a100_pcie4"},
                                   std::pair{"NVIDIA GeForce RTX 4090", "rtx4090_desktop"},
                                   std::pair{"NVIDIA GeForce RTX 3060 Laptop GPU", "rtx3060_laptop"}}) {
        CalibrationRecord record;
        record.machine.gpu = gpu;
        EXPECT_EQ(nearestProfile(record).key, key) << gpu;
    }
    CalibrationRecord small = recordOf(madeUpSamples(), "2026-11-21", false);
    small.machine.deviceMemoryBytes = std::int64_t{6} << 30;
    EXPECT_EQ(nearestProfile(small).key, "rtx3060_laptop");
}

TEST(CalibratedProfileTest, TheFileReadsAsTheSameProfileAndRecord)
{
    const CalibratedProfile made = madeUp();
    const std::string text = profileFileText(made);
    const auto profile = parseDeviceProfile(text);
    ASSERT_TRUE(profile.ok()) << profile.error();
    for (const ProfileFigure& figure : profileFigures())
        EXPECT_EQ(figure.valueIn(profile.value()), figure.valueIn(made.profile)) << figure.key;
    EXPECT_EQ(profile.value().spreads, made.profile.spreads);
    EXPECT_EQ(profile.value().sources, made.profile.sources);
    const auto record = recordIn(text);
    ASSERT_TRUE(record.ok()) << record.error();
    ASSERT_TRUE(record.value().has_value());
    EXPECT_EQ(record.value()->date, "2026-11-21");
    EXPECT_EQ(record.value()->machine.gpu, made.record.machine.gpu);
    EXPECT_EQ(record.value()->machine.link, made.record.machine.link);
    ASSERT_EQ(record.value()->series.size(), made.record.series.size());
    for (std::size_t at = 0; at < made.record.series.size(); ++at) {
        const MeasuredSeries& read = record.value()->series[at];
        const MeasuredSeries& wrote = made.record.series[at];
        EXPECT_EQ(std::tie(read.probe, read.variant, read.bytes, read.threads),
                  std::tie(wrote.probe, wrote.variant, wrote.bytes, wrote.threads));
        EXPECT_NEAR(read.statistics.median, wrote.statistics.median, wrote.statistics.median * 1e-5 + 1e-9);
    }
    EXPECT_EQ(profileFileText({profile.value(), *record.value()}), text) << "written again it is the same file";
}

TEST(CalibratedProfileTest, ItIsSavedAmongThePersonsOwnAndSimulatesARun)
{
    std::string home = testing::TempDir() + "overlane_calibrated_XXXXXX";
    ASSERT_NE(mkdtemp(home.data()), nullptr);
    setenv("XDG_DATA_HOME", home.c_str(), 1);
    const CalibratedProfile made = madeUp();
    EXPECT_EQ(made.profile.key, "imagined_quokka_77_2026-11-21");
    const std::string file = profileFilePath(made.profile);
    ASSERT_TRUE(saveProfile(made, file).ok());
    const DeviceProfile* found = findDeviceProfile(made.profile.key);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->name, "Imagined Quokka 77, calibrated 2026-11-21");
    const auto record = recordOf(*found);
    ASSERT_TRUE(record.ok());
    EXPECT_TRUE(record.value().has_value());
    EXPECT_TRUE(simulate(Scenario(), *found).ok());
    EXPECT_FALSE(saveProfile(made, "/proc/no/such/place.json").ok());
    unsetenv("XDG_DATA_HOME");
    std::filesystem::remove_all(home);
}

TEST(CalibratedProfileTest, DamagedRecordsAreRefusedAndNoneIsNoError)
{
    EXPECT_FALSE(recordIn("{").ok());
    EXPECT_FALSE(recordIn(R"({"calibration": {"date": "x", "machine": {}, "series": [["a"]]}})").ok());
    EXPECT_FALSE(
        recordIn(R"({"calibration": {"date": "x", "machine": {}, "series": [["a", "", 1, 1, 5, 6, 4, 3]]}})").ok());
    const auto none = recordIn(R"({"key": "h200"})");
    ASSERT_TRUE(none.ok());
    EXPECT_FALSE(none.value().has_value());
}

TEST(CalibratedProfileTest, TwoNodesGiveRatiosBelowOne)
{
    CalibrationSamples samples = madeUpSamples();
    samples.machine.nodes = 2;
    for (const auto& [pair, ns] :
         {std::pair{"0 0", 1e6}, std::pair{"1 1", 1e6}, std::pair{"0 1", 2e6}, std::pair{"1 0", 2e6}})
        samples.series.push_back({"node_memcpy", pair, kMadeUpMiB, 1, around(ns)});
    samples.series.push_back({"node_copy", "0", 64 * kMadeUpMiB, 1, around(1e6)});
    samples.series.push_back({"node_copy", "1", 64 * kMadeUpMiB, 1, around(1.25e6)});
    const DeviceProfile p = calibratedProfile(recordOf(samples, "2026-11-21", false)).profile;
    EXPECT_DOUBLE_EQ(p.remoteMemoryRatio, 0.5);
    EXPECT_DOUBLE_EQ(p.remoteDmaRatio, 0.8);
    EXPECT_THAT(p.hostMemoryBytesPerSecond, Within(40e9, 0.001)) << "of one node";
}

TEST(CalibrationPlotsTest, ARecordGivesFourPlotsWithSpreadsAndTheLinksBound)
{
    const CalibratedProfile made = madeUp();
    const std::vector<CalibrationPlot> plots = calibrationPlots(made.profile, &made.record);
    ASSERT_EQ(plots.size(), 4u);
    EXPECT_EQ(plots[0].key, "memory_cost");
    EXPECT_EQ(plots[0].curves.size(), 10u);
    EXPECT_EQ(plots[1].key, "copy_rate");
    ASSERT_TRUE(plots[1].bound.has_value());
    EXPECT_NEAR(plots[1].bound->value, 31.5e9, 0.1e9);
    for (const CalibrationPlot& plot : plots)
        for (const PlotCurve& curve : plot.curves)
            for (const PlotPoint& point : curve.points) {
                EXPECT_GT(point.low, 0) << curve.name;
                EXPECT_LE(point.low, point.median) << curve.name;
                EXPECT_GE(point.high, point.median) << curve.name;
                EXPECT_EQ(point.samples, 9);
            }
    EXPECT_THAT(plotCsv(plots[1]), StartsWith("curve,bytes,median_bytes_per_second,low_bytes_per_second,"));
    EXPECT_THAT(plotCsv(plots[1]), testing::HasSubstr("\"to device, pinned\",1048576,"));
}

TEST(CalibrationPlotsTest, EveryProfileShowsAtLeastItsTables)
{
    for (const DeviceProfile& profile : allDeviceProfiles()) {
        const std::vector<CalibrationPlot> plots = calibrationPlots(profile, nullptr);
        ASSERT_EQ(plots.size(), 1u) << profile.key;
        EXPECT_EQ(plots[0].curves.size(), profileTables().size());
    }
}

TEST(CalibrationPlotsTest, TheCalibratedH200ComesWithItsRecord)
{
    const DeviceProfile* shipped = findDeviceProfile("nvidia_h200_2026-11-22");
    ASSERT_NE(shipped, nullptr);
    const auto record = recordOf(*shipped);
    ASSERT_TRUE(record.ok() && record.value().has_value());
    EXPECT_TRUE(record.value()->misses.empty());
    EXPECT_EQ(calibrationPlots(*shipped, &*record.value()).size(), 4u);
    EXPECT_EQ(linkText(record.value()->machine.link), "PCIe 5 x16");
    // Its figures are those that the rules of today make of its record.
    const DeviceProfile again = calibratedProfile(*record.value()).profile;
    for (const FigureRule& rule : calibratedFigures())
        EXPECT_EQ(findProfileFigure(rule.key)->valueIn(*shipped), findProfileFigure(rule.key)->valueIn(again))
            << rule.key;
}

TEST(CalibrationTextTest, FiguresReadInTheirUnits)
{
    EXPECT_EQ(figureValueText("h2d_bytes_per_second", 55.5e9), "55.5\u2009GB/s");
    EXPECT_EQ(figureValueText("staging_chunk_bytes", 1 << 20), "1.00\u2009MiB");
    EXPECT_EQ(figureValueText("copy_call_ns", 1050), "1.05\u2009\u00b5s");
    EXPECT_EQ(figureValueText("peak_flops_per_second", 989e12), "989 TFLOPS");
    EXPECT_EQ(figureValueText("copy_kernel_slowdown", 1.03), "1.030");
    EXPECT_EQ(spreadText("copy_call_ns", {1000, 1100, 7}), "1.00\u2009\u00b5s to 1.10\u2009\u00b5s of 7");
}

}  // namespace
}  // namespace overlane
