#include "core/runs/expression.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

#include "core/loader/settings.h"
#include "core/runs/figures.h"
#include "core/runs/run_metrics.h"

namespace overlane
{
namespace
{

using testing::HasSubstr;

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
    EXPECT_THAT(errorOf("A.wall < A.pinned_peak"), HasSubstr("compares a time with a size"));
    EXPECT_THAT(errorOf("A.wall + 3"), HasSubstr("joins a time and a number"));
    EXPECT_THAT(errorOf("A.wall and B.wall"), HasSubstr("joins comparisons, not a time"));
    EXPECT_THAT(errorOf("not A.wall"), HasSubstr("needs a comparison"));
    EXPECT_THAT(errorOf("within(A.wall, B.wall, 3 ms)"), HasSubstr("tolerance"));
    EXPECT_EQ(errorOf("A.batch_bytes / A.copy_rate < A.compute_us"), "");
}

TEST(Expression, saysWhatIsWrong)
{
    EXPECT_THAT(errorOf("A.wal"), HasSubstr("did you mean 'wall'?"));
    EXPECT_THAT(errorOf("C.wall"), HasSubstr("no run 'C' here; the runs are A, B, device"));
    EXPECT_THAT(errorOf("wall"), HasSubstr("write A.wall"));
    EXPECT_THAT(errorOf("A.pin"), HasSubstr("a choice, not a number"));
    EXPECT_THAT(errorOf("device.transfer"), HasSubstr("needs a size"));
    EXPECT_THAT(errorOf("device.transfer(3 ms)"), HasSubstr("needs a size"));
    EXPECT_THAT(errorOf("(A.wall"), HasSubstr("')' is missing"));
    EXPECT_THAT(errorOf("A.wall A.wall"), HasSubstr("left over"));
    EXPECT_THAT(errorOf("A.wall <"), HasSubstr("a figure is expected"));
    EXPECT_THAT(errorOf("median(1, 2)"), HasSubstr("there are min, max, abs and within"));
    EXPECT_THAT(errorOf("min(1)"), HasSubstr("takes 2 figures, not 1"));
    EXPECT_THAT(errorOf(std::string(2000, '(')), HasSubstr("longer than"));
    EXPECT_THAT(errorOf(std::string(100, '(') + "1"), HasSubstr("nested too deeply"));
    EXPECT_THAT(errorOf(""), HasSubstr("a figure is expected"));
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
