#include "core/calibration/calibration_statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/base/statistics.h"

namespace overlane
{
namespace
{

constexpr double kLowShare = 0.1;
constexpr double kHighShare = 0.9;

}  // namespace

SampleStatistics statisticsOf(const std::vector<double>& samples)
{
    if (samples.empty())
        return {};
    return {median(samples), quantile(samples, kLowShare), quantile(samples, kHighShare),
            static_cast<std::int64_t>(samples.size())};
}

MedianLine medianLine(std::span<const std::pair<double, double>> points)
{
    std::vector<double> slopes;
    for (std::size_t left = 0; left < points.size(); ++left)
        for (std::size_t right = left + 1; right < points.size(); ++right)
            if (points[left].first != points[right].first)
                slopes.push_back((points[right].second - points[left].second) /
                                 (points[right].first - points[left].first));
    assert(!slopes.empty());
    MedianLine line;
    line.slope = median(std::move(slopes));
    std::vector<double> rests;
    for (const auto& [x, y] : points)
        rests.push_back(y - line.slope * x);
    line.intercept = median(std::move(rests));
    return line;
}

std::int64_t nearestPowerOfTwo(double value)
{
    assert(value > 0);
    return std::int64_t{1} << std::llround(std::clamp(std::log2(value), 0.0, 62.0));
}

}  // namespace overlane
