#include "core/trial/trial_series.h"

#include <functional>
#include <gmock/gmock.h>
#include <map>
#include <random>

#include "tests/support/expect_text.h"

namespace overlane
{
namespace
{

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

TrialReport foundReport(std::int64_t workers = 0)
{
    TrialReport report;
    report.cuda = true;
    report.settings.workers = workers;
    report.copies.push_back({{"train.py", 7, "main", "x.to(device)", ""}, 10, 1 << 20, 10});
    return report;
}

std::vector<std::string> names(const TrialSeries& series)
{
    std::vector<std::string> names;
    for (const TrialRow& row : series.rows())
        names.push_back(changeOfSettings(series.asItIs(), row.settings));
    return names;
}

using TimeOf = std::function<double(const LoaderSettings&)>;

// Runs a series to its end on a machine where settings take what `timeOf` says, with a spread.
void play(TrialSeries& series, const TimeOf& timeOf, double spread, unsigned seed = 1)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(0, spread);
    for (int runs = 0; runs < 200; ++runs) {
        const auto row = series.next();
        if (!row)
            return;
        series.add(*row, timeOf(series.rows()[*row].settings) * std::exp(noise(random)));
    }
    FAIL() << "200 runs and no end";
}

TEST(TrialSeries, TriesOneThingAtATimeAsFarAsTheProgramHasAPlaceForIt)
{
    test::expectText(names(TrialSeries(foundReport(), 16)));
    test::expectText(names(TrialSeries(foundReport(4), 16)));
    EXPECT_THAT(names(TrialSeries(foundReport(4), 4)), Contains("num_workers=2"))
        << "more processes than half the cores";

    TrialReport iterable = foundReport(2);
    iterable.iterable = true;
    const TrialSeries stream(iterable, 16);
    for (const TrialRow& row : stream.rows())
        EXPECT_EQ(row.settings.workers, 2);
    EXPECT_THAT(stream.leftOut(), ElementsAre(HasSubstr("iterable")));

    TrialReport host = foundReport();
    host.cuda = false;
    host.copies.clear();
    test::expectText(names(TrialSeries(host, 16)));

    TrialReport epochs = foundReport(2);
    epochs.epochs = 3;
    EXPECT_THAT(names(TrialSeries(epochs, 16)), Contains("persistent_workers=True"));
}

TEST(TrialSeries, FindsWhatHelpsAndPutsItTogether)
{
    TrialSeries series(foundReport(), 16);
    play(
        series,
        [](const LoaderSettings& settings) {
            const double copy = settings.nonBlocking ? 1e6 : settings.pinMemory ? 4e6 : 10e6;
            return copy + 40e6 / static_cast<double>(std::max<std::int64_t>(1, settings.workers));
        },
        0.01);
    ASSERT_TRUE(series.answer());
    const TrialRow& best = series.rows()[*series.answer()];
    EXPECT_EQ(changeOfSettings(series.asItIs(), best.settings), "num_workers=8, pin_memory=True, non_blocking=True");
    EXPECT_NEAR(series.claim(*series.answer()).share, 0.88, 0.01);
}

TEST(TrialSeries, WorkersThatAreNewLiveOnWhereEpochsEnd)
{
    TrialReport found = foundReport();
    found.epochs = 2;
    TrialSeries series(found, 16);
    play(
        series,
        [](const LoaderSettings& settings) {
            if (settings.workers == 0)
                return 40e6;
            return settings.persistentWorkers ? 10e6 : 15e6;
        },
        0.01);
    ASSERT_TRUE(series.answer());
    EXPECT_EQ(changeOfSettings(series.asItIs(), series.rows()[*series.answer()].settings),
              "num_workers=2, persistent_workers=True");
}

// Where the loader hides the copies, pinning shows nothing until there are more workers.
TEST(TrialSeries, PutsPinningBesideMoreWorkersThoughItDidNotHelpAlone)
{
    TrialSeries series(foundReport(2), 16);
    play(
        series,
        [](const LoaderSettings& settings) {
            const double copy = settings.pinMemory ? 4e6 : 12e6;
            return std::max(copy, 40e6 / static_cast<double>(settings.workers));
        },
        0.01);
    ASSERT_TRUE(series.answer());
    EXPECT_TRUE(series.rows()[*series.answer()].settings.pinMemory);
    EXPECT_EQ(series.rows()[*series.answer()].settings.workers, 8);
}

TEST(TrialSeries, OfWhatIsAsGoodTheFewestChangesAreTheAnswer)
{
    TrialSeries series(foundReport(), 16);
    play(
        series, [](const LoaderSettings& settings) { return settings.pinMemory ? 8e6 : 10e6; }, 0.002);
    ASSERT_TRUE(series.answer());
    EXPECT_EQ(changeOfSettings(series.asItIs(), series.rows()[*series.answer()].settings), "pin_memory=True");
}

TEST(TrialSeries, ClaimsNothingWhereNothingDiffers)
{
    int claims = 0;
    constexpr int kSeries = 400;
    for (unsigned seed = 0; seed < kSeries; ++seed) {
        TrialSeries series(foundReport(4), 16);
        play(
            series, [](const LoaderSettings&) { return 10e6; }, 0.05, seed);
        claims += series.answer() ? 1 : 0;
    }
    EXPECT_LE(claims, kSeries * 6 / 100) << "of " << kSeries << " series on a machine with a spread of 5 %";
}

TEST(TrialSeries, SettingsThatLieFarBehindAreRunOnce)
{
    TrialSeries series(foundReport(4), 16);
    play(
        series, [](const LoaderSettings& settings) { return settings.workers > 4 ? 30e6 : 10e6; }, 0.01);
    for (const TrialRow& row : series.rows())
        if (row.settings.workers > 4) {
            EXPECT_EQ(row.batchNs.size(), 1u);
        }
}

TEST(TrialSeries, SettingsThatFailAreTriedNoMore)
{
    TrialSeries series(foundReport(), 16);
    int failures = 0;
    while (const auto row = series.next()) {
        if (series.rows()[*row].settings.workers > 0) {
            series.fail(*row, "cannot fork here");
            ++failures;
        } else {
            series.add(*row, 10e6);
        }
    }
    EXPECT_EQ(failures, 2) << "2 and 8 workers; none of them is put together with what else helped";
    EXPECT_FALSE(series.answer());
}

TEST(TrialSeries, EndsWhereTheProgramAsItIsFails)
{
    TrialSeries series(foundReport(), 16);
    EXPECT_EQ(series.next(), 0u);
    series.fail(0, "gone");
    while (const auto row = series.next())
        series.fail(*row, "gone");
    EXPECT_FALSE(series.answer());
    EXPECT_EQ(series.runs(), 0u);
}

TEST(TrialSeries, NoErrorIsKnownBeforeAnythingRanTwice)
{
    TrialSeries series(foundReport(), 16);
    series.add(0, 10e6);
    series.add(1, 5e6);
    EXPECT_FALSE(series.spread());
    EXPECT_NEAR(series.claim(1).share, 0.5, 1e-9);
    EXPECT_FALSE(series.claim(1).faster);
    EXPECT_FALSE(std::isfinite(series.claim(1).error));
}

}  // namespace
}  // namespace overlane
