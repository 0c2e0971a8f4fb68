#include "core/sweep/sweep_ready.h"

#include <gtest/gtest.h>
#include <set>

#include "core/loader/presets.h"
#include "core/sweep/sweep_runner.h"

namespace overlane
{
namespace
{

const SizeCurve& curve(const CurveSheet& sheet, const std::string& name)
{
    for (const SizeCurve& one : sheet.curves)
        if (one.fullName() == name)
            return one;
    ADD_FAILURE() << name;
    return sheet.curves.front();
}

TEST(ReadySweepTest, EveryOneRunsFromEveryPreset)
{
    std::set<std::string_view> keys;
    for (const ReadySweep& sweep : allSweeps()) {
        EXPECT_TRUE(keys.insert(sweep.key).second) << sweep.key;
        EXPECT_NE(static_cast<bool>(sweep.plan), static_cast<bool>(sweep.curves)) << sweep.key;
        EXPECT_EQ(findReadySweep(sweep.key), &sweep);
        for (const Preset& preset : allPresets()) {
            const DeviceProfile& device = *findDeviceProfile(preset.device);
            if (sweep.curves)
                continue;
            const SweepPlan plan = sweep.plan(preset.scenario, device);
            EXPECT_TRUE(checkSweep(plan).ok()) << sweep.key << " from " << preset.key;
            EXPECT_GE(plan.axes[0].values.size(), 3U) << sweep.key << " from " << preset.key;
        }
    }
}

TEST(ReadySweepTest, PinnedMemoryFollowsWorkersAndPrefetching)
{
    Scenario base;
    base.batches = 40;
    const DeviceProfile& device = *findDeviceProfile("h200");
    const SweepPlan plan = findReadySweep("pinned_workers")->plan(base, device);
    EXPECT_EQ(plan.base.pin, PinStrategy::Thread);
    Progress progress;
    const auto result = runSweep(plan, device, progress);
    ASSERT_TRUE(result.ok()) << result.error();
    const auto pinned = [&](std::size_t point) {
        return result.value().spread(point, runMetric(metric_key::kPinnedPeak))->median;
    };
    EXPECT_GT(pinned(0), 0);
    EXPECT_GE(pinned(plan.points() - 1), pinned(0));
}

TEST(CurvesTest, PinningCostsMoreThanTheCopyItSpeedsUp)
{
    const CurveSheet sheet = allocationCurves(*findDeviceProfile("h200"), curveSizes());
    ASSERT_EQ(curveSizes().front(), 4096);
    ASSERT_EQ(curveSizes().back(), 1 << 30);
    // Measured: 282 ms for 1 GiB, 314 ms for the first touch of as much pageable memory.
    EXPECT_NEAR(curve(sheet, "pinned, allocate").points.back().value, 282e6, 10e6);
    EXPECT_NEAR(curve(sheet, "pageable, first touch").points.back().value, 314e6, 40e6);
    EXPECT_GT(curve(sheet, "pinned, allocate").points.back().value,
              5 * curve(sheet, "pageable, transfer").points.back().value / 2);
    for (const SizeCurve& one : sheet.curves) {
        ASSERT_EQ(one.points.size(), curveSizes().size());
        for (std::size_t at = 0; at < one.points.size(); ++at) {
            EXPECT_GT(one.points[at].value, 0) << one.fullName();
            EXPECT_LE(one.points[at].low, one.points[at].value) << one.fullName();
            EXPECT_GE(one.points[at].high, one.points[at].value) << one.fullName();
        }
    }
}

// The curves say what a simulated run does: one blocking copy, alone.
TEST(CurvesTest, RatesAreThoseOfTheSimulation)
{
    const DeviceProfile& device = *findDeviceProfile("h200");
    const CurveSheet sheet = copyRateCurves(device, {64 << 20});
    Scenario scenario;
    scenario.batches = 3;
    scenario.batchBytes = 64 << 20;
    scenario.tensors = 1;
    scenario.workers = 0;
    scenario.produceUs = 0;
    scenario.computeUs = 0;
    scenario.pin = PinStrategy::Ring;
    auto run = simulate(scenario, device);
    ASSERT_TRUE(run.ok()) << run.error();
    const JudgedRun judged(scenario, device, std::move(run).value());
    const double simulated = runMetric(metric_key::kCopyRate).value(judged);
    EXPECT_NEAR(curve(sheet, "to the device, pinned").points[0].value, simulated, 0.03 * simulated);
}

TEST(CurvesTest, CsvHasARowPerSize)
{
    const std::string csv = curvesCsv(copyRateCurves(*findDeviceProfile("h200"), curveSizes()));
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), static_cast<std::ptrdiff_t>(curveSizes().size()) + 1);
}

}  // namespace
}  // namespace overlane
