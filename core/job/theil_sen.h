// fitTheilSen(): the line through points of which some are wrong.
//
// The slope is the median of the slopes of all pairs of points, the offset the median of what is left (Sen 1968,
// "Estimates of the regression coefficient based on Kendall's tau"), so that a quarter of wrong points changes little.
// A slope that the spread of the points would also make is 0: within 4 standard errors of a slope through evenly spread
// points, their deviation taken from the median absolute one. Fewer than 10 points have a slope of 0. A pure function;
// any thread; units are those of the points.
#pragma once

#include <vector>

namespace overlane
{

struct FitPoint {
    double x = 0;
    double y = 0;
};

// y = slope * x + offset
struct FittedLine {
    double slope = 0;
    double offset = 0;
};

// Of a long list 200 points are taken evenly for the slope, which needs no more. 0 and 0 of none.
FittedLine fitTheilSen(const std::vector<FitPoint>& points);

}  // namespace overlane
