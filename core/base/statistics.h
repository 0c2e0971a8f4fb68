// Shares, medians and quantiles, defined once.
//
// Pure functions, any thread; linear in the number of values, which may be in any order. Two definitions, since there
// are two questions (Hyndman and Fan, "Sample Quantiles in Statistical Packages", The American Statistician 50, 1996):
//
// - What is usual? quantile() and median() interpolate between neighbors (their type 7, as NumPy, R and spreadsheets
//   do): with h = share * (n - 1), x[floor(h)] + (h - floor(h)) * (x[floor(h) + 1] - x[floor(h)]) of the sorted values.
//   The median of an even number is the mean of the middle two. Every figure that a person reads is of this kind.
// - Which one is usual? lowerQuantile() and lowerMedian() answer with one of the values, x[floor(h)]: for counts and
//   sizes, where what lies between two kinds of them is neither.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/saturated.h"

namespace overlane
{

// 0 of nothing.
constexpr double shareOf(std::int64_t part, std::int64_t whole)
{
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

// 0 <= share <= 1; 0 of none.
template <typename Value>
Value lowerQuantile(std::vector<Value> values, double share)
{
    assert(share >= 0 && share <= 1);
    if (values.empty())
        return Value{};
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

// 0 <= share <= 1; 0 of none. Of whole numbers it is rounded to the nearest one.
template <typename Value>
Value quantile(std::vector<Value> values, double share)
{
    assert(share >= 0 && share <= 1);
    if (values.empty())
        return Value{};
    const double place = share * static_cast<double>(values.size() - 1);
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(place);
    std::nth_element(values.begin(), at, values.end());
    const double between = place - std::floor(place);
    if (between <= 0)
        return *at;
    const Value next = *std::min_element(at + 1, values.end());
    const double above = between * (static_cast<double>(next) - static_cast<double>(*at));
    if constexpr (std::is_integral_v<Value>)
        return static_cast<Value>(saturatedSum(static_cast<std::int64_t>(*at), saturatedRound(above)));
    else
        return *at + above;
}

template <typename Value>
Value median(std::vector<Value> values)
{
    return quantile(std::move(values), 0.5);
}

template <typename Value>
Value lowerMedian(std::vector<Value> values)
{
    return lowerQuantile(std::move(values), 0.5);
}

}  // namespace overlane
