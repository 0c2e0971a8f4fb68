// Statistics of repeated measurements that a few disturbed samples do not move: medians, percentiles and a
// line through medians of slopes.
//
// Pure functions, any thread. The line is Theil's and Sen's (P. K. Sen, "Estimates of the regression coefficient
// based on Kendall's tau", JASA 63, 1968): the median of the slopes of all pairs of points, and the median of
// what is left.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace overlane
{

struct SampleStatistics {
    double median = 0;
    double low = 0;   // tenth percentile
    double high = 0;  // ninetieth
    std::int64_t samples = 0;
    friend bool operator==(const SampleStatistics&, const SampleStatistics&) = default;
};

// Zeros for no samples.
SampleStatistics statisticsOf(const std::vector<double>& samples);

struct MedianLine {
    double intercept = 0;
    double slope = 0;
    double at(double x) const { return intercept + slope * x; }
};
// At least two points with different x.
MedianLine medianLine(std::span<const std::pair<double, double>> points);

// The power of two whose logarithm is nearest; `value` above 0.
std::int64_t nearestPowerOfTwo(double value);

}  // namespace overlane
