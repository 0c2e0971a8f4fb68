#include "app/timeline/counter_samples.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <tuple>
#include <vector>

#include "core/lod/time_scale.h"

namespace overlane
{

namespace
{

using Columns = std::vector<std::tuple<int, double, double, double>>;  // column, lowest, highest, last

Columns columnsOf(const CounterSamples& samples)
{
    Columns columns;
    for (const CounterColumn& column : samples.columns)
        columns.emplace_back(column.px, column.values.lowest, column.values.highest, column.last);
    return columns;
}

// By looking at every sample.
Columns scanned(const CounterSeries& series, Interval range, std::int64_t endNs, int widthPx)
{
    Columns columns;
    const TimeScale scale(range, widthPx);
    const auto add = [&](int px, double value) {
        if (columns.empty() || std::get<0>(columns.back()) != px) {
            columns.emplace_back(px, value, value, value);
            return;
        }
        auto& [at, lowest, highest, last] = columns.back();
        lowest = std::min(lowest, value);
        highest = std::max(highest, value);
        last = value;
    };
    for (std::size_t i = 0; i < series.timesNs.size(); ++i) {
        const std::int64_t timeNs = series.timesNs[i];
        if (timeNs <= range.startNs && range.startNs < endNs) {
            const bool atTheEdge =
                timeNs == range.startNs && !columns.empty() && i > 0 && series.timesNs[i - 1] == timeNs;
            if (!atTheEdge)
                columns.clear();
            add(0, series.values[i]);
        } else if (timeNs > range.startNs && timeNs < std::min(range.endNs, endNs)) {
            int px = 0;
            while (scale.columnStartNs(px + 1, widthPx) <= timeNs)
                ++px;
            add(px, series.values[i]);
        }
    }
    return columns;
}

}  // namespace

TEST(CounterSamples, HoldTheValueFromEdgeToEdge)
{
    CounterSeries series;
    series.timesNs = {100, 200, 300};
    series.values = {1, 5, 2};
    const CounterPyramid pyramid(series);
    const CounterSamples within = counterSamples(pyramid, {150, 250}, 1000, 100);
    EXPECT_EQ(columnsOf(within), (Columns{{0, 1, 1, 1}, {50, 5, 5, 5}}));
    EXPECT_EQ(within.endPx, 99);
    EXPECT_EQ(columnsOf(counterSamples(pyramid, {400, 500}, 1000, 100)), (Columns{{0, 2, 2, 2}}));
    EXPECT_EQ(columnsOf(counterSamples(pyramid, {50, 150}, 1000, 100)), (Columns{{50, 1, 1, 1}}));
    EXPECT_TRUE(counterSamples(pyramid, {0, 50}, 1000, 100).columns.empty());
    EXPECT_TRUE(counterSamples(pyramid, {0, 500}, 1000, 0).columns.empty());
    EXPECT_TRUE(counterSamples(pyramid, {5, 5}, 1000, 10).columns.empty());
    EXPECT_TRUE(counterSamples(pyramid, {50, 5}, 1000, 10).columns.empty());
    const CounterSeries none;
    EXPECT_TRUE(counterSamples(CounterPyramid(none), {0, 500}, 1000, 10).columns.empty());
}

TEST(CounterSamples, EndWithWhatWasMeasured)
{
    CounterSeries series;
    series.timesNs = {100, 200, 300};
    series.values = {1, 5, 2};
    const CounterPyramid pyramid(series);
    const CounterSamples samples = counterSamples(pyramid, {0, 1000}, 250, 100);
    EXPECT_EQ(columnsOf(samples), (Columns{{10, 1, 1, 1}, {20, 5, 5, 5}}));
    EXPECT_EQ(samples.endPx, 25);
    EXPECT_TRUE(counterSamples(pyramid, {400, 500}, 400, 100).columns.empty());
}

TEST(CounterSamples, KeepEverySpikeOfACrowd)
{
    CounterSeries series;
    for (int i = 0; i < 100'000; ++i) {
        series.timesNs.push_back(std::int64_t{10} * i);
        series.values.push_back(i == 54'321 ? 1e9 : i == 12'345 ? -7 : i % 5);
    }
    const Columns columns = columnsOf(counterSamples(CounterPyramid(series), {0, 1'000'000}, 1'000'000, 200));
    ASSERT_EQ(columns.size(), 200u);
    for (const auto& [px, lowest, highest, last] : columns) {
        EXPECT_EQ(lowest, px == 24 ? -7 : 0) << px;
        EXPECT_EQ(highest, px == 108 ? 1e9 : 4) << px;
    }
}

TEST(CounterSamples, AgreeWithAScanForRandomRangesAndWidths)
{
    std::mt19937 random(3);
    CounterSeries series;
    std::int64_t timeNs = 0;
    for (int i = 0; i < 3000; ++i) {
        timeNs += static_cast<std::int64_t>(random() % 3 == 0 ? 0 : random() % 500);  // some at one time
        series.timesNs.push_back(timeNs);
        series.values.push_back(static_cast<double>(random() % 50));
    }
    const CounterPyramid pyramid(series);
    for (int i = 0; i < 200; ++i) {
        const std::int64_t startNs = i % 2 == 0 ? 0 : static_cast<std::int64_t>(random() % 400'000u);
        const int width = 1 + static_cast<int>(random() % 300);
        // Too few samples in a column for one to be given to its neighbor.
        const Interval range{startNs, startNs + 1 + static_cast<std::int64_t>(random() % 3000u) * width};
        const std::int64_t endNs = i % 4 == 0 ? range.startNs + range.lengthNs() / 3 : timeNs;
        ASSERT_EQ(columnsOf(counterSamples(pyramid, range, endNs, width)), scanned(series, range, endNs, width))
            << range.startNs << " to " << range.endNs << " in " << width;
    }
}

// A column shows all that is its own but for an eighth at its beginning, and nothing behind the eighth that
// follows it.
TEST(CounterSamples, MayShowACrowdAnEighthOfAPixelEarlyAndNoFurther)
{
    std::mt19937 random(31);
    CounterSeries series;
    for (std::int64_t i = 0; i < 100'000; ++i) {
        series.timesNs.push_back(i * 10 + static_cast<std::int64_t>(random() % 10));
        series.values.push_back(static_cast<double>(random() % 100'000));
    }
    const CounterPyramid pyramid(series);
    constexpr std::int64_t kColumnNs = 4040;
    int early = 0;
    for (const int width : {20, 150, 240}) {
        const Interval range{0, width * kColumnNs};
        const Columns shown = columnsOf(counterSamples(pyramid, range, 1'000'000, width));
        const Columns exact = scanned(series, range, 1'000'000, width);
        const Columns eighths = scanned(series, range, 1'000'000, 8 * width);
        ASSERT_EQ(shown.size(), static_cast<std::size_t>(width));
        for (int x = 0; x < width; ++x) {
            const auto& [px, lowest, highest, last] = shown[static_cast<std::size_t>(x)];
            ASSERT_EQ(px, x);
            early += shown[static_cast<std::size_t>(x)] != exact[static_cast<std::size_t>(x)] ? 1 : 0;
            double least = 1e9;
            double most = -1;
            for (int eighth = 8 * x; eighth <= std::min(8 * x + 8, 8 * width - 1); ++eighth) {
                const auto& [at, low, high, held] = eighths[static_cast<std::size_t>(eighth)];
                least = std::min(least, low);
                most = std::max(most, high);
                if (eighth % 8 != 0 && eighth < 8 * x + 8) {
                    EXPECT_LE(lowest, low) << x;
                    EXPECT_GE(highest, high) << x;
                }
            }
            EXPECT_GE(lowest, least) << x;
            EXPECT_LE(highest, most) << x;
        }
    }
    EXPECT_GT(early, 0) << "the test has to see what it is about";
}

TEST(CounterSamples, LookAtAsManyPlacesHoweverManySamplesThereAre)
{
    constexpr int kWidthPx = 500;
    std::size_t looked[2] = {};
    for (int size = 0; size < 2; ++size) {
        const int samples = size == 0 ? 100'000 : 1'600'000;
        CounterSeries series;
        for (int i = 0; i < samples; ++i) {
            series.timesNs.push_back(std::int64_t{i} * 10);
            series.values.push_back(i * 7919LL % 1000);
        }
        looked[size] = counterSamples(CounterPyramid(series), {0, std::int64_t{samples} * 10},
                                      std::int64_t{samples} * 10, kWidthPx)
                           .looked;
    }
    EXPECT_GT(looked[0], std::size_t{kWidthPx});
    EXPECT_LT(looked[1], 3 * looked[0]) << "of sixteen times as many samples";
    EXPECT_LT(looked[1], 200u * kWidthPx);
}

}  // namespace overlane
