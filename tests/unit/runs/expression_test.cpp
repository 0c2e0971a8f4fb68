#include "core/runs/expression.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

#include "core/loader/settings.h"
#include "core/runs/figures.h"
#include "core/runs/run_metrics.h"
#include "tests/support/expect_text.h"

namespace overlane
{
namespace
{

const std::set<std::string, std::less<>> kRuns{"A", "B", "device"};

double valueOf(std::string_view text, const std::map<std::string, double>& figures = {})
{
    const auto expression = Expression::parse(text, kRuns);
    EXPECT_TRUE(expression.ok()) << (expression.ok() ? "" : expression.error());
    if (!expression.ok())
        return std::nan("");
    const auto value = expression.value().evaluate([&](const FigureName& name) -> Result<double> {
        const auto found = figures.find(name.run + "." + name.figure);
        return found == figures.end() ? Result<double>(Error{"not known"}) : Result<double>(found->second);
    });
    return value.ok() ? value.value() : std::nan("");
}

std::string errorOf(std::string_view text, const std::set<std::string, std::less<>>& runs = kRuns)
{
    const auto expression = Expression::parse(text, runs);
    return expression.ok() ? std::string() : expression.error();
}

TEST(Expression, computesAsWritten)
{
    EXPECT_EQ(valueOf("1 + 2 * 3 - 4 / 2"), 5);
    EXPECT_EQ(valueOf("-(1 + 2) * 2"), -6);
    EXPECT_EQ(valueOf("10 - 4 - 3"), 3);
    EXPECT_EQ(valueOf("2 ms + 500 us"), 2'500'000);
    EXPECT_EQ(valueOf("1 GiB / 1 MiB"), 1024);
    EXPECT_DOUBLE_EQ(valueOf("50 % * 8"), 4);
    EXPECT_DOUBLE_EQ(valueOf("55 GB/s"), 55);
    EXPECT_EQ(valueOf("min(3, 2) + max(3, 2) + abs(-1)"), 6);
}

TEST(Expression, comparesAndChains)
{
    EXPECT_EQ(valueOf("1 < 2 <= 2"), 1);
    EXPECT_EQ(valueOf("1 < 2 < 2"), 0);
    EXPECT_EQ(valueOf("not 1 > 2 and (1 == 2 or 2 != 3)"), 1);
    EXPECT_EQ(valueOf("within(105, 100, 5 %)"), 1);
    EXPECT_EQ(valueOf("within(106, 100, 5 %)"), 0);
}

TEST(Expression, asksForFiguresOnceEach)
{
    const auto expression = Expression::parse("B.step / A.step + B.step / A.wall", kRuns);
    ASSERT_TRUE(expression.ok());
    EXPECT_EQ(expression.value().figures().size(), 3u);
    EXPECT_TRUE(expression.value().unit().isNumber());
    EXPECT_EQ(valueOf("B.step / A.step", {{"A.step", 4}, {"B.step", 1}}), 0.25);
    EXPECT_TRUE(std::isnan(valueOf("B.step / A.step", {{"A.step", 4}})));
}

TEST(Expression, knowsUnits)
{
    test::expectText(errorOf("A.wall < A.pinned_peak"));
    test::expectText(errorOf("A.wall + 3"));
    test::expectText(errorOf("A.wall and B.wall"));
    test::expectText(errorOf("not A.wall"));
    test::expectText(errorOf("within(A.wall, B.wall, 3 ms)"));
    EXPECT_EQ(errorOf("A.batch_bytes / A.copy_rate < A.compute_us"), "");
}

TEST(Expression, saysWhatIsWrong)
{
    test::expectText(errorOf("A.wal"));
    test::expectText(errorOf("C.wall"));
    test::expectText(errorOf("wall"));
    test::expectText(errorOf("A.pin"));
    test::expectText(errorOf("device.transfer"));
    test::expectText(errorOf("device.transfer(3 ms)"));
    test::expectText(errorOf("(A.wall"));
    test::expectText(errorOf("A.wall A.wall"));
    test::expectText(errorOf("A.wall <"));
    test::expectText(errorOf("median(1, 2)"));
    test::expectText(errorOf("min(1)"));
    test::expectText(errorOf(std::string(2000, '(')));
    test::expectText(errorOf(std::string(100, '(') + "1"));
    test::expectText(errorOf(""));
}

TEST(Expression, figuresOfOneRunNeedNoName)
{
    EXPECT_EQ(errorOf("overlap >= 90 % and start.wall > wall", {"", "start"}), "");
}

// A name must mean one thing.
TEST(Figures, metricsAndSettingsShareNoName)
{
    for (const RunMetric& metric : allRunMetrics()) {
        EXPECT_EQ(findSetting(metric.key), nullptr) << metric.key;
        EXPECT_EQ(findRunMetric(metric.key), &metric) << metric.key << " stands twice";
        EXPECT_THAT(metric.description, testing::EndsWith("."));
    }
}

TEST(Figures, settingsHaveTheUnitOfTheirValue)
{
    Scenario scenario;
    scenario.computeUs = 6000;
    EXPECT_EQ(settingFigure(scenario, "compute_us"), 6'000'000);
    EXPECT_EQ(findFigure(false, "compute_us").value().unit, kTimeUnit);
    EXPECT_EQ(settingFigure(scenario, "batch_bytes"), double(48ll << 20));
    EXPECT_EQ(findFigure(false, "batch_bytes").value().unit, kSizeUnit);
}

TEST(FigureText, readsAsPeopleDo)
{
    EXPECT_EQ(figureText(12'300'000, kTimeUnit), "12.3\u2009ms");
    EXPECT_EQ(figureText(0.931, kShareUnit), "93.1\u2009%");
    EXPECT_EQ(figureText(2.314, kNumberUnit), "2.31");
    EXPECT_EQ(figureText(64, kNumberUnit), "64");
    EXPECT_EQ(figureText(55.5, kRateUnit), "55.5\u2009GB/s");
    EXPECT_EQ(figureText(std::nan(""), kTimeUnit), "unknown");
    EXPECT_EQ(figureText(1e300, kNumberUnit), "unknown");
}

}  // namespace
}  // namespace overlane
