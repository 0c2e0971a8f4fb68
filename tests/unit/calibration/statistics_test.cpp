#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/calibration/calibration_statistics.h"

namespace overlane
{
namespace
{

TEST(CalibrationStatisticsTest, MedianAndPercentilesOfKnownSamples)
{
    const SampleStatistics s = statisticsOf({5, 1, 4, 2, 3, 6, 7, 8, 9, 10, 11});
    EXPECT_EQ(s.median, 6);
    EXPECT_EQ(s.low, 2);
    EXPECT_EQ(s.high, 10);
    EXPECT_EQ(s.samples, 11);
    EXPECT_EQ(statisticsOf({3}), (SampleStatistics{3, 3, 3, 1}));
    EXPECT_EQ(statisticsOf({}), SampleStatistics());
    EXPECT_DOUBLE_EQ(statisticsOf({1, 2}).median, 1.5);
}

TEST(CalibrationStatisticsTest, AFewDisturbedSamplesMoveNothing)
{
    std::vector<double> samples(30, 100);
    for (std::size_t each = 0; each < 28; ++each)
        samples[each] += static_cast<double>(each % 3);
    const SampleStatistics calm = statisticsOf(samples);
    samples[28] = samples[29] = 1e9;  // the machine did something else
    const SampleStatistics disturbed = statisticsOf(samples);
    EXPECT_NEAR(disturbed.median, calm.median, 1);
    EXPECT_NEAR(disturbed.high, calm.high, 1);
    EXPECT_NEAR(disturbed.low, calm.low, 1);
}

TEST(CalibrationStatisticsTest, TheLineIsNotMovedByOnePointFarOff)
{
    std::vector<std::pair<double, double>> points;
    points.reserve(9);
    for (int x = 0; x < 9; ++x)
        points.emplace_back(x, 7 + 3 * x);
    points[4].second = 500;
    const MedianLine line = medianLine(points);
    EXPECT_DOUBLE_EQ(line.slope, 3);
    EXPECT_DOUBLE_EQ(line.intercept, 7);
    EXPECT_DOUBLE_EQ(line.at(10), 37);
}

TEST(CalibrationStatisticsTest, PowersOfTwoByTheirLogarithm)
{
    EXPECT_EQ(nearestPowerOfTwo(1'160'000), 1 << 20);
    EXPECT_EQ(nearestPowerOfTwo(1.5e6), 1 << 21);
    EXPECT_EQ(nearestPowerOfTwo(1), 1);
    EXPECT_EQ(nearestPowerOfTwo(0.1), 1);
}

}  // namespace
}  // namespace overlane
