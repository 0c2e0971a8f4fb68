// The ideal bound of a point is a true lower bound: never above what it bounds, whatever the settings.
#include <gtest/gtest.h>
#include <random>

#include "core/calibration/fidelity_scenarios.h"
#include "core/sweep/sweep_runner.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kScenarios = 240;

void expectBounded(const RunFigures& figures, const std::string& what)
{
    int bounded = 0;
    for (const RunMetric& metric : allRunMetrics()) {
        if (metric.bound.empty())
            continue;
        const double bound = figureOf(figures, runMetric(metric.bound));
        EXPECT_LE(bound, figureOf(figures, metric)) << metric.key << " of " << what;
        EXPECT_GT(bound, 0) << metric.bound << " of " << what;
        ++bounded;
    }
    EXPECT_EQ(bounded, 2);
}

// Random settings, on machines with little memory and few cores too, where loading slows down midway.
TEST(SweepBoundTest, NoRandomScenarioIsFasterThanItsBound)
{
    std::mt19937_64 random(11);
    int ran = 0;
    int paced = 0;
    for (Scenario scenario : fidelityScenarios(kScenarios, 5)) {
        scenario.batches += static_cast<std::int64_t>(random() % 60);
        if (random() % 3 == 0)
            scenario.ramBytes = (4 + static_cast<std::int64_t>(random() % 16)) << 30;
        if (random() % 3 == 0)
            scenario.cores = 1 + static_cast<std::int64_t>(random() % 8);
        const DeviceProfile& device = allDeviceProfiles()[random() % allDeviceProfiles().size()];
        auto result = simulate(scenario, device);
        if (!result.ok())
            continue;
        const JudgedRun run(scenario, device, std::move(result).value());
        expectBounded(runFigures(run), scenarioToJson(scenario));
        ++ran;
        paced += run.pace.range.startNs > 0 ? 1 : 0;
    }
    EXPECT_GT(ran, kScenarios * 3 / 4);
    EXPECT_GT(paced, ran / 4) << "runs so short that only their whole was looked at";
}

// The loader's first batches take longer than later ones: a bound over the whole run, by the number of its
// batches, lay above the time per batch here.
TEST(SweepBoundTest, TheStartOfARunIsNotInTheBoundOfItsPace)
{
    SweepPlan plan;
    plan.base.batches = 24;
    plan.deviceKey = "h200";
    plan.axes.push_back(parseSweepAxis("workers=1,2").value());
    plan.repeats = 2;
    Progress progress;
    const auto swept = runSweep(plan, *findDeviceProfile("h200"), progress);
    ASSERT_TRUE(swept.ok()) << swept.error();
    for (const SweepRun& run : swept.value().runs)
        expectBounded(run.figures, "a point");
    const RunMetric& batch = runMetric(metric_key::kBatch);
    for (std::size_t point = 0; point < plan.points(); ++point)
        EXPECT_LE(*swept.value().ideal(point, batch), swept.value().spread(point, batch)->median);
    const RunFigures& first = swept.value().runs.front().figures;
    EXPECT_GT(figureOf(first, runMetric("ideal")) / 24, figureOf(first, batch)) << "the case is gone; find another";
}

}  // namespace
}  // namespace overlane
