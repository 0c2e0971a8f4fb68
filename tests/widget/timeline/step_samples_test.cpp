#include "app/timeline/step_samples.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace overlane
{

TEST(StepSamples, HoldTheValueFromEdgeToEdge)
{
    CounterSeries series;
    series.timesNs = {100, 200, 300};
    series.values = {1, 5, 2};
    EXPECT_THAT(stepSamples(series, {150, 250}, 100).points,
                testing::ElementsAre(StepPoint{150, 1}, StepPoint{200, 5}, StepPoint{250, 5}));
    EXPECT_THAT(stepSamples(series, {400, 500}, 100).points,
                testing::ElementsAre(StepPoint{400, 2}, StepPoint{500, 2}));
    EXPECT_THAT(stepSamples(series, {50, 150}, 100).points, testing::ElementsAre(StepPoint{100, 1}, StepPoint{150, 1}));
    EXPECT_TRUE(stepSamples(series, {0, 50}, 100).points.empty());
    EXPECT_TRUE(stepSamples(series, {0, 500}, 0).points.empty());
    EXPECT_TRUE(stepSamples(series, {5, 5}, 10).points.empty());
    EXPECT_TRUE(stepSamples({}, {0, 500}, 10).points.empty());
}

TEST(StepSamples, KeepEverySpikeOfACrowd)
{
    CounterSeries series;
    for (int i = 0; i < 100'000; ++i) {
        series.timesNs.push_back(i * 10);
        series.values.push_back(i == 54'321 ? 1e9 : i == 12'345 ? -7 : i % 5);
    }
    const auto points = stepSamples(series, {0, 1'000'000}, 200).points;
    EXPECT_LE(points.size(), 4u * 200 + 2);
    EXPECT_THAT(points, testing::Contains(StepPoint{543'210, 1e9}));
    EXPECT_THAT(points, testing::Contains(StepPoint{123'450, -7}));
    EXPECT_TRUE(std::is_sorted(points.begin(), points.end(),
                               [](const StepPoint& a, const StepPoint& b) { return a.timeNs < b.timeNs; }));
}

}  // namespace overlane
