#include "core/lod/counter_pyramid.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

#include "core/lod/trace_pyramids.h"
#include "core/trace/trace_builder.h"

namespace overlane
{

namespace
{

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

CounterSeries seriesOf(std::vector<double> values)
{
    CounterSeries series;
    for (std::size_t i = 0; i < values.size(); ++i)
        series.timesNs.push_back(static_cast<std::int64_t>(i) * 10);
    series.values = std::move(values);
    return series;
}

// An empty answer where no sample is a number.
std::vector<double> scanned(const CounterSeries& series, std::uint32_t first, std::uint32_t last)
{
    std::vector<double> numbers;
    for (std::uint32_t i = first; i < last; ++i)
        if (!std::isnan(series.values[i]))
            numbers.push_back(series.values[i]);
    if (numbers.empty())
        return {};
    const auto [lowest, highest] = std::minmax_element(numbers.begin(), numbers.end());
    return {*lowest, *highest};
}

std::vector<double> answered(const CounterPyramid::Extremes& found)
{
    return found.none() ? std::vector<double>{} : std::vector<double>{found.lowest, found.highest};
}

// Few different values, so that equal ones are common.
CounterSeries randomSeries(std::uint32_t samples, std::mt19937& random)
{
    std::vector<double> values;
    for (std::uint32_t i = 0; i < samples; ++i)
        values.push_back(random() % 20 == 0 ? kNoNumber : static_cast<double>(random() % 100) - 50);
    return seriesOf(std::move(values));
}

}  // namespace

TEST(CounterPyramid, AgreesWithAScanOfEveryStretchOfRandomSamples)
{
    std::mt19937 random(23);
    for (const std::uint32_t samples : {1u, 2u, 15u, 16u, 17u, 255u, 256u, 257u, 4096u, 5000u}) {
        const CounterSeries series = randomSeries(samples, random);
        const CounterPyramid pyramid(series);
        for (int i = 0; i < 2000; ++i) {
            const auto a = static_cast<std::uint32_t>(random() % samples);
            const auto b = static_cast<std::uint32_t>(random() % samples);
            const std::uint32_t first = std::min(a, b);
            const std::uint32_t last = std::max(a, b) + 1;
            ASSERT_EQ(answered(pyramid.extremes(first, last)), scanned(series, first, last))
                << first << " " << last << " of " << samples;
        }
        const auto all = scanned(series, 0, samples);
        EXPECT_EQ(pyramid.lowestValue(), all.empty() ? 0 : all[0]);
        EXPECT_EQ(pyramid.highestValue(), all.empty() ? 0 : all[1]);
    }
}

TEST(CounterPyramid, KnowsTheExtremesOfAll)
{
    const CounterSeries none;
    EXPECT_EQ(CounterPyramid(none).highestValue(), 0);
    EXPECT_EQ(CounterPyramid(none).lowestValue(), 0);
    const CounterSeries one = seriesOf({-7});
    EXPECT_EQ(CounterPyramid(one).highestValue(), -7);
    EXPECT_EQ(CounterPyramid(one).lowestValue(), -7);
    const CounterSeries holed = seriesOf({kNoNumber, 3, kNoNumber, -2, kNoNumber});
    EXPECT_EQ(CounterPyramid(holed).highestValue(), 3);
    EXPECT_EQ(CounterPyramid(holed).lowestValue(), -2);
    const CounterSeries unbounded =
        seriesOf({1, std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()});
    EXPECT_EQ(CounterPyramid(unbounded).highestValue(), std::numeric_limits<double>::infinity());
    EXPECT_EQ(CounterPyramid(unbounded).lowestValue(), -std::numeric_limits<double>::infinity());
    const CounterSeries numberless = seriesOf({kNoNumber, kNoNumber});
    EXPECT_TRUE(CounterPyramid(numberless).extremes(0, 2).none());
    EXPECT_EQ(CounterPyramid(numberless).highestValue(), 0);
}

TEST(CounterPyramid, FindsTheFirstSampleFromAnyTime)
{
    std::mt19937 random(29);
    for (const std::uint32_t samples : {1u, 15u, 16u, 17u, 300u, 5000u}) {
        CounterSeries series = randomSeries(samples, random);
        for (std::uint32_t i = 1; i < samples; ++i)
            series.timesNs[i] = series.timesNs[i - 1] + static_cast<std::int64_t>(random() % 4);  // some at one time
        const CounterPyramid pyramid(series);
        for (int i = 0; i < 2000; ++i) {
            const auto a = static_cast<std::uint32_t>(random() % (samples + 1));
            const auto b = static_cast<std::uint32_t>(random() % (samples + 1));
            const auto [first, last] = std::minmax(a, b);
            const std::int64_t timeNs = static_cast<std::int64_t>(random() % (2 * samples + 4)) - 2;
            const auto from = series.timesNs.begin();
            ASSERT_EQ(pyramid.firstFrom(first, last, timeNs),
                      std::lower_bound(from + first, from + last, timeNs) - from)
                << first << " " << last << " " << timeNs << " of " << samples;
        }
    }
}

TEST(CounterPyramid, LooksAtFewPlacesHoweverLongTheStretch)
{
    std::mt19937 random(5);
    const CounterSeries series = randomSeries(1'000'000, random);
    const CounterPyramid pyramid(series);
    for (int i = 0; i < 1000; ++i) {
        const auto a = static_cast<std::uint32_t>(random() % 1'000'000);
        const auto b = static_cast<std::uint32_t>(random() % 1'000'000);
        std::size_t looked = 0;
        pyramid.extremes(std::min(a, b), std::max(a, b) + 1, &looked);
        EXPECT_LE(looked, 2u * 15 * 5 + 15) << "15 on either side of each of five levels, and the top";
    }
    EXPECT_LT(pyramid.bytes(), 1.7 * 1'000'000);
}

TEST(TracePyramids, HoldOneForTheEventsAndOneForEachCounter)
{
    TraceBuilder builder;
    const TrackId process = builder.addTrack({}, TrackKind::Process, "p");
    const TrackId low = builder.addCounter(process, "low", CounterUnit::Count);
    const TrackId high = builder.addCounter(process, "high", CounterUnit::Bytes);
    builder.addSample(low, 5, 1);
    builder.addSample(high, 9, 1000);
    auto trace = std::make_shared<const Trace>(builder.build());
    const TracePyramids pyramids(trace);
    ASSERT_EQ(pyramids.counters.size(), 2u);
    EXPECT_EQ(&pyramids.events.trace(), trace.get());
    for (std::size_t i = 0; i < 2; ++i)
        EXPECT_EQ(&pyramids.counters[i].series(), &trace->counters()[i]);
    EXPECT_EQ(pyramids.counters[0].highestValue(), 1);
    EXPECT_EQ(pyramids.counters[1].highestValue(), 1000);
}

}  // namespace overlane
