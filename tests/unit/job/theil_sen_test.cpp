#include "core/job/theil_sen.h"

#include <gtest/gtest.h>
#include <vector>

namespace overlane
{
namespace
{

std::vector<FitPoint> pointsOf(double slope, double offset, int count)
{
    std::vector<FitPoint> points;
    points.reserve(static_cast<std::size_t>(count));
    for (int x = 0; x < count; ++x)
        points.push_back({static_cast<double>(x), slope * x + offset});
    return points;
}

TEST(TheilSen, FindsALineThoughAQuarterOfItsPointsAreWrong)
{
    std::vector<FitPoint> points = pointsOf(2, 100, 40);
    for (std::size_t at = 1; at < points.size(); at += 4)
        points[at].y += 1e6;
    const FittedLine line = fitTheilSen(points);
    EXPECT_NEAR(line.slope, 2, 1e-9);
    EXPECT_NEAR(line.offset, 100, 1e-6);
}

TEST(TheilSen, ASlopeThatTheSpreadWouldAlsoMakeIsNone)
{
    std::vector<FitPoint> points = pointsOf(0.001, 7, 40);
    for (std::size_t at = 0; at < points.size(); ++at)
        points[at].y += at % 2 == 0 ? 5 : -5;
    EXPECT_EQ(fitTheilSen(points).slope, 0);
    EXPECT_NEAR(fitTheilSen(points).offset, 7, 0.1);
}

TEST(TheilSen, FewPointsAndThoseOfOnePlaceHaveAnOffsetOnly)
{
    EXPECT_EQ(fitTheilSen({}).offset, 0);
    EXPECT_EQ(fitTheilSen(pointsOf(2, 0, 9)).slope, 0);
    EXPECT_EQ(fitTheilSen(pointsOf(2, 0, 9)).offset, 8);
    const FittedLine line = fitTheilSen(std::vector<FitPoint>(20, {3, 4}));
    EXPECT_EQ(line.slope, 0);
    EXPECT_EQ(line.offset, 4);
}

}  // namespace
}  // namespace overlane
