#include "core/calibration/calibration_statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace overlane
{
namespace
{

constexpr double kLowShare = 0.1;
constexpr double kHighShare = 0.9;

}  // namespace

double percentile(std::span<const double> sorted, double share)
{
    assert(!sorted.empty() && share >= 0 && share <= 1);
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (sorted[above] - sorted[below]) * (place - static_cast<double>(below));
}

double medianOf(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return percentile(values, 0.5);
}

SampleStatistics statisticsOf(std::vector<double> samples)
{
    if (samples.empty())
        return {};
    std::sort(samples.begin(), samples.end());
    return {percentile(samples, 0.5), percentile(samples, kLowShare), percentile(samples, kHighShare),
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
    line.slope = medianOf(std::move(slopes));
    std::vector<double> rests;
    for (const auto& [x, y] : points)
        rests.push_back(y - line.slope * x);
    line.intercept = medianOf(std::move(rests));
    return line;
}

std::int64_t nearestPowerOfTwo(double value)
{
    assert(value > 0);
    return std::int64_t{1} << std::llround(std::clamp(std::log2(value), 0.0, 62.0));
}

}  // namespace overlane
