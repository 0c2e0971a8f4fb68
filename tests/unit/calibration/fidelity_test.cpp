#include "core/calibration/fidelity.h"

#include <cmath>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "core/calibration/fidelity_measure.h"
#include "core/calibration/fidelity_scenarios.h"
#include "core/calibration/fidelity_text.h"
#include "core/loader/settings.h"
#include "tests/support/expect_text.h"

namespace overlane
{
namespace
{

FidelityCase made(std::int64_t index, std::int64_t measuredNs, std::int64_t simulatedNs,
                  PinStrategy pin = PinStrategy::Thread)
{
    FidelityCase each;
    each.row.seed = 1;
    each.row.index = index;
    each.row.scenario.pin = pin;
    each.row.wallsNs = {measuredNs};
    each.row.recorded = {measuredNs, 100, 0, 100, 0.5};
    each.simulated = {simulatedNs, 100, 0, 100, 0.52};
    return each;
}

std::size_t settingsApart(const Scenario& left, const Scenario& right)
{
    std::size_t apart = 0;
    for (const Setting& setting : allSettings())
        apart += setting.get(left) != setting.get(right);
    return apart;
}

TEST(FidelityScenariosTest, AreTheSameForASeedAndPossibleEverywhere)
{
    const auto scenarios = fidelityScenarios(240, 1);
    EXPECT_EQ(scenarios, fidelityScenarios(240, 1));
    EXPECT_NE(scenarios, fidelityScenarios(240, 2));
    for (const Scenario& scenario : scenarios) {
        EXPECT_TRUE(checkScenario(scenario, *findDeviceProfile("h200")).ok()) << scenarioText(scenario);
        EXPECT_NE(scenario.files, Files::Drive);
    }
    for (const PinStrategy pin :
         {PinStrategy::None, PinStrategy::Thread, PinStrategy::Consumer, PinStrategy::Ring, PinStrategy::Register})
        EXPECT_GT(std::count_if(scenarios.begin(), scenarios.end(),
                                [pin](const Scenario& scenario) { return scenario.pin == pin; }),
                  24);
}

TEST(FidelityScenariosTest, PairsDifferInOneKnob)
{
    const auto scenarios = fidelityScenarios(240, 7);
    for (std::size_t at = 0; at < scenarios.size(); at += 2) {
        EXPECT_NE(settingsApart(scenarios[at], scenarios[at + 1]), 0u);
        // The kernel and the result are knobs of three settings, workers bring prefetching.
        EXPECT_LE(settingsApart(scenarios[at], scenarios[at + 1]), 3u) << scenarioText(scenarios[at]) << "\n"
                                                                       << scenarioText(scenarios[at + 1]);
    }
}

TEST(FidelityTest, RowsComeBackAsTheyWereWritten)
{
    std::vector<FidelityRow> rows(2);
    rows[0].seed = 3;
    rows[0].index = 4;
    rows[0].device = "a GPU";
    rows[0].scenario = fidelityScenarios(8, 3)[4];
    rows[0].wallsNs = {30, 10, 20};
    rows[0].recorded = {25, 5, 6, 7, 0.25};
    rows[1] = rows[0];
    rows[1].index = 5;
    rows[1].recorded = {};
    const auto read = readFidelityRows(writeFidelityRows(rows));
    ASSERT_TRUE(read.ok()) << read.error();
    ASSERT_EQ(read.value().size(), 2u);
    const FidelityRow& row = read.value()[0];
    EXPECT_EQ(row.scenario, rows[0].scenario);
    EXPECT_EQ(row.wallNs(), 20);
    EXPECT_DOUBLE_EQ(row.noise(), 1.0);
    EXPECT_EQ(row.recorded.kernelNs, 7);
    EXPECT_DOUBLE_EQ(row.recorded.overlapShare, 0.25);
    EXPECT_EQ(read.value()[1].recorded.wallNs, 0);
}

TEST(FidelityTest, AFileThatHoldsSomethingElseSaysWhere)
{
    test::expectText(readFidelityRows("").error());
    const std::string good = R"({"seed":1,"index":0,"device":"d","settings":{"workers":"2"},"walls_ns":[5]})"
                             "\n";
    test::expectText(readFidelityRows(good + "{}\n").error());
    EXPECT_THAT(
        readFidelityRows(R"({"seed":1,"index":0,"device":"d","settings":{"wrkers":"2"},"walls_ns":[5]})").error(),
        testing::HasSubstr("workers"));
    EXPECT_THAT(readFidelityRows(R"({"seed":1,"index":0,"device":"d","settings":{},"walls_ns":[0]})").error(),
                testing::HasSubstr("walls_ns"));
}

TEST(FidelityTest, StatisticsAreThoseOfTheRowsAskedFor)
{
    std::vector<FidelityCase> cases;
    for (std::int64_t index = 0; index < 10; ++index)
        cases.push_back(made(index, 1000, 1000 + 10 * index));
    cases.push_back(made(10, 1000, 500, PinStrategy::None));
    const auto pinned = fidelityStatistics(cases, [](const FidelityRow& row) { return row.pinned(); });
    EXPECT_EQ(pinned.rows, 10u);
    EXPECT_NEAR(pinned.median, 0.045, 1e-9);  // of 0, 1 % ... 9 %
    EXPECT_NEAR(pinned.worstDecile, 0.081, 1e-9);
    EXPECT_DOUBLE_EQ(pinned.overlapWithin, 1);
    const auto pageable = fidelityStatistics(cases, [](const FidelityRow& row) { return !row.pinned(); });
    EXPECT_NEAR(pageable.median, 0.5, 1e-9);
    EXPECT_NEAR(pageable.bias, -0.5, 1e-9);
}

TEST(FidelityTest, OnlyPairsThatDifferCanBeInverted)
{
    // Told apart and right; told apart and wrong; too close to be told apart.
    const std::vector<FidelityCase> cases = {made(0, 1000, 900), made(1, 1200, 1300), made(2, 1000, 1300),
                                             made(3, 1200, 900), made(4, 1000, 1300), made(5, 1090, 900)};
    const FidelityRanking partners = rankPartners(cases);
    EXPECT_EQ(partners.pairs, 2u);
    EXPECT_EQ(partners.inverted, 1u);
    EXPECT_GT(rankAll(cases).pairs, partners.pairs);
}

// Two runs of a row that lie 10 % apart leave 5 % to whoever knows their mean.
TEST(FidelityTest, TheFloorIsHalfOfWhatLiesBetweenTwoRuns)
{
    std::vector<FidelityCase> cases = {made(0, 1000, 1000), made(1, 2000, 2000)};
    cases[0].row.wallsNs = {950, 1050};
    cases[1].row.wallsNs = {2000, 2000};
    const auto statistics = fidelityStatistics(cases, [](const FidelityRow&) { return true; });
    EXPECT_NEAR(statistics.floorWorstDecile, 0.045, 1e-9);  // of 0 and 5 %
    EXPECT_NEAR(statistics.noise, 0.05, 1e-9);              // of 0 and 10 %
}

// More runs leave less, and one of four that went astray next to nothing: the median does not follow it.
TEST(FidelityTest, TheFloorIsTheStandardErrorOfTheMedian)
{
    FidelityRow row;
    row.wallsNs = {1000};
    EXPECT_EQ(row.standardError(), 0);
    row.wallsNs = {950, 1050};
    EXPECT_NEAR(row.standardError(), 0.05, 1e-9);
    // Of the resamples of three, 7 in 27 have the least run in the middle, 13 the second and 7 the third.
    row.wallsNs = {900, 1100, 1000};
    EXPECT_NEAR(row.standardError(), 0.1 * std::sqrt(14.0 / 27) * std::sqrt(1.5), 1e-9);
    row.wallsNs = {990, 1000, 1000, 1500};
    const double four = row.standardError();
    row.wallsNs = {990, 1000, 1000, 1000, 1000, 1000, 1000, 1500};
    EXPECT_LT(row.standardError(), four / 2);
}

TEST(FidelityTest, RoundsOfTheSameRowsBecomeOne)
{
    FidelityRow first = made(0, 1000, 1).row, second = made(1, 2000, 1).row;
    first.recorded = {};
    FidelityRow again = first;
    again.wallsNs = {1200, 1400};
    again.recorded = {77, 1, 1, 1, 0.5};
    const auto merged = mergeFidelityRows({{first, second}, {again}});
    ASSERT_TRUE(merged.ok()) << merged.error();
    ASSERT_EQ(merged.value().size(), 2u);
    EXPECT_THAT(merged.value()[0].wallsNs, testing::ElementsAre(1000, 1200, 1400));
    EXPECT_EQ(merged.value()[0].recorded.wallNs, 77);
    EXPECT_THAT(merged.value()[1].wallsNs, testing::ElementsAre(2000));
    again.scenario.workers += 1;
    EXPECT_THAT(mergeFidelityRows({{first}, {again}}).error(), testing::HasSubstr("1.0"));
}

TEST(FidelityTest, AGpuIsComparedWithItself)
{
    std::vector<FidelityCase> cases = {made(0, 1000, 1), made(1, 1200, 1)};
    cases[0].row.wallsNs = {1000, 1300};
    cases[1].row.wallsNs = {1200, 1100};
    const auto repeats = repeatsCompared(cases);
    EXPECT_NEAR(repeats[0].wallError(), 0.3, 1e-9);
    EXPECT_EQ(rankPartners(repeats).pairs, 1u);
    EXPECT_EQ(rankPartners(repeats).inverted, 1u);
}

TEST(FidelityTest, WhatDoesNotRunIsNamedAndTheRestKept)
{
    const auto scenarios = fidelityScenarios(4, 1);
    int calls = 0;
    Progress progress;
    const FidelityRunner runner = [&](const Scenario& scenario) -> Result<FidelityRun> {
        ++calls;
        if (scenario.name == scenarios[1].name)
            return Error{"No room."};
        return FidelityRun{calls, "fake"};
    };
    const FidelityWalls walls = measureWalls(scenarios, 1, 2, runner, progress);
    EXPECT_EQ(calls, 8);
    ASSERT_EQ(walls.rows.size(), 3u);
    test::expectText(walls.failures);
    EXPECT_THAT(walls.rows[0].wallsNs, testing::ElementsAre(1, 5));
    EXPECT_EQ(walls.rows[1].index, 2);
}

TEST(FidelityTest, CancellingKeepsWhatWasMeasured)
{
    Progress progress;
    const FidelityRunner runner = [&](const Scenario& scenario) -> Result<FidelityRun> {
        if (scenario.name.ends_with(".2"))
            progress.cancel();
        return FidelityRun{7, "fake"};
    };
    const FidelityWalls walls = measureWalls(fidelityScenarios(6, 1), 1, 2, runner, progress);
    EXPECT_TRUE(walls.cancelled);
    EXPECT_EQ(walls.rows.size(), 3u);
}

TEST(FidelityTest, ThePlotHasAMarkForEachRow)
{
    const std::vector<FidelityCase> cases = {made(0, 1'000'000, 900'000), made(1, 5'000'000, 6'000'000),
                                             made(2, 30'000'000, 20'000'000, PinStrategy::None)};
    const std::string svg = fidelityPlotSvg(cases);
    const auto count = [&](const std::string& part) {
        std::size_t found = 0;
        for (std::size_t at = svg.find(part); at != std::string::npos; at = svg.find(part, at + 1))
            ++found;
        return found;
    };
    EXPECT_EQ(count("<circle"), 3u);  // one in the legend
    EXPECT_EQ(count("<path"), 2u);
    EXPECT_THAT(svg, testing::EndsWith("</svg>\n"));
}

// What the model reaches on machines of the kind it was measured on: seed 1 is what its figures were fitted to.
class MeasuredFidelityTest : public testing::Test
{
protected:
    static std::vector<FidelityCase> cases(int seed)
    {
        std::ostringstream text;
        text << std::ifstream(OVERLANE_SOURCE_DIR "/tests/data/fidelity_h200_seed" + std::to_string(seed) + ".jsonl")
                    .rdbuf();
        const auto rows = readFidelityRows(text.str());
        EXPECT_TRUE(rows.ok()) << rows.error();
        const auto compared = compareFidelity(rows.value(), *findDeviceProfile("h200_vm"));
        EXPECT_TRUE(compared.ok()) << compared.error();
        return compared.value();
    }
};

TEST_F(MeasuredFidelityTest, TheRowsItWasFittedToAreMet)
{
    const auto all = cases(1);
    const auto pinned = fidelityStatistics(all, [](const FidelityRow& row) { return row.pinned(); });
    const auto pageable = fidelityStatistics(all, [](const FidelityRow& row) { return !row.pinned(); });
    EXPECT_EQ(pinned.rows + pageable.rows, 240u);
    EXPECT_LT(pinned.median, 0.038);
    EXPECT_LT(pinned.worstDecile, 0.15);
    EXPECT_LT(pageable.median, 0.025);
    EXPECT_LT(pageable.worstDecile, 0.14);
    EXPECT_GT(pinned.overlapWithin, 0.93);
    EXPECT_GT(pageable.overlapWithin, 0.89);
    EXPECT_LE(rankPartners(all).inverted, 5u);
}

TEST_F(MeasuredFidelityTest, RowsItHasNotSeenAreMetNearlyAsWell)
{
    const auto all = cases(2);
    const auto pinned = fidelityStatistics(all, [](const FidelityRow& row) { return row.pinned(); });
    const auto pageable = fidelityStatistics(all, [](const FidelityRow& row) { return !row.pinned(); });
    EXPECT_EQ(pinned.rows + pageable.rows, 120u);
    EXPECT_LT(pinned.median, 0.06);
    EXPECT_LT(pinned.worstDecile, 0.17);
    EXPECT_LT(pageable.median, 0.07);
    EXPECT_LT(pageable.worstDecile, 0.2);
    EXPECT_LE(rankPartners(all).inverted, 6u);
}

TEST_F(MeasuredFidelityTest, RowsMeasuredLastAreMetAsWell)
{
    const auto all = cases(4);
    const auto pinned = fidelityStatistics(all, [](const FidelityRow& row) { return row.pinned(); });
    const auto pageable = fidelityStatistics(all, [](const FidelityRow& row) { return !row.pinned(); });
    EXPECT_EQ(pinned.rows + pageable.rows, 60u);
    EXPECT_LT(pinned.median, 0.048);
    EXPECT_LT(pinned.worstDecile, 0.17);
    EXPECT_LT(pageable.median, 0.05);
    EXPECT_LT(pageable.worstDecile, 0.24);
    EXPECT_LE(rankPartners(all).inverted, 2u);
}

// Where the machines repeat themselves over eight runs, so does the simulation.
TEST_F(MeasuredFidelityTest, RowsAreMetWhereTheGpuRepeatsItself)
{
    const auto all = cases(3);
    const auto steady = [](bool pinned) {
        return [pinned](const FidelityRow& row) { return row.pinned() == pinned && row.noise() <= 0.05; };
    };
    const auto pinned = fidelityStatistics(all, steady(true));
    const auto pageable = fidelityStatistics(all, steady(false));
    EXPECT_EQ(pinned.rows, 12u);
    EXPECT_EQ(pageable.rows, 6u);
    EXPECT_LT(pinned.median, 0.01);
    EXPECT_LT(pinned.worstDecile, 0.03);
    EXPECT_LT(pageable.median, 0.02);
    EXPECT_LT(pageable.worstDecile, 0.03);
    EXPECT_LE(rankPartners(all).inverted, 1u);
    EXPECT_EQ(pinned.recorded, 0u);
    EXPECT_THAT(fidelityText(all, 0), testing::HasSubstr("|        -\n")) << "no overlap where none was recorded";
}

// Nearer to what a row takes than a last run is to a first, and with no more pairs the wrong way round.
TEST_F(MeasuredFidelityTest, TheGpuIsNoBetterPredictionOfItself)
{
    for (const int seed : {1, 2}) {
        const auto all = cases(seed);
        const auto repeats = repeatsCompared(all);
        for (const bool pinned : {true, false}) {
            const auto ofKind = [pinned](const FidelityRow& row) { return row.pinned() == pinned; };
            const auto simulated = fidelityStatistics(all, ofKind);
            const auto measured = fidelityStatistics(repeats, ofKind);
            EXPECT_LT(simulated.median, measured.median) << seed << pinned;
            if (pinned) {
                EXPECT_LT(simulated.worstDecile, measured.worstDecile) << seed;
            }
        }
        EXPECT_LE(rankPartners(all).inverted, rankPartners(repeats).inverted) << seed;
        EXPECT_LT(rankAll(all).inverted, rankAll(repeats).inverted) << seed;
    }
}

}  // namespace
}  // namespace overlane
