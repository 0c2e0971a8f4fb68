#include "core/job/theil_sen.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/statistics.h"

namespace overlane
{
namespace
{

double medianOffset(const std::vector<FitPoint>& points, double slope)
{
    std::vector<double> offsets;
    offsets.reserve(points.size());
    for (const FitPoint& point : points)
        offsets.push_back(point.y - slope * point.x);
    return median(std::move(offsets));
}

}  // namespace

FittedLine fitTheilSen(const std::vector<FitPoint>& points)
{
    constexpr std::size_t kMostPoints = 200;
    constexpr std::size_t kLeastForSlope = 10;
    if (points.size() < kLeastForSlope)
        return {0, medianOffset(points, 0)};
    std::vector<FitPoint> taken;
    const std::size_t count = std::min(points.size(), kMostPoints);
    for (std::size_t at = 0; at < count; ++at)
        taken.push_back(points[at * points.size() / count]);
    std::vector<double> slopes;
    slopes.reserve(count * count / 2);
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = a + 1; b < count; ++b)
            if (taken[a].x != taken[b].x)
                slopes.push_back((taken[b].y - taken[a].y) / (taken[b].x - taken[a].x));
    if (slopes.empty())
        return {0, medianOffset(points, 0)};
    const double slope = median(std::move(slopes));
    const double offset = medianOffset(points, slope);
    // The standard error of a slope through evenly spread points; the deviation from the median absolute one.
    std::vector<double> distances;
    distances.reserve(points.size());
    for (const FitPoint& point : points)
        distances.push_back(std::abs(point.y - slope * point.x - offset));
    const double deviation = 1.4826 * median(std::move(distances));
    const auto [first, last] = std::minmax_element(points.begin(), points.end(),
                                                   [](const FitPoint& a, const FitPoint& b) { return a.x < b.x; });
    const double error = deviation * std::sqrt(12.0 / static_cast<double>(points.size())) / (last->x - first->x);
    constexpr double kSure = 4;
    if (std::abs(slope) <= kSure * error)
        return {0, medianOffset(points, 0)};
    return {slope, offset};
}

}  // namespace overlane
