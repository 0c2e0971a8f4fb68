// Sums and products of times and sizes that a file from a stranger may have made up: the nearest value
// that int64 holds, instead of an overflow. Pure functions, any thread.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace overlane
{

constexpr std::int64_t saturatedSum(std::int64_t a, std::int64_t b)
{
    std::int64_t sum = 0;
    if (!__builtin_add_overflow(a, b, &sum))
        return sum;
    return a < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}

constexpr std::int64_t saturatedDifference(std::int64_t a, std::int64_t b)
{
    std::int64_t difference = 0;
    if (!__builtin_sub_overflow(a, b, &difference))
        return difference;
    return a < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}

constexpr std::int64_t saturatedProduct(std::int64_t a, std::int64_t b)
{
    std::int64_t product = 0;
    if (!__builtin_mul_overflow(a, b, &product))
        return product;
    return (a < 0) != (b < 0) ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}

// The nearest whole number; 0 for what is no number.
inline std::int64_t saturatedRound(double value)
{
    constexpr double kBeyond = 9223372036854775808.0;  // 2^63
    if (value >= kBeyond)
        return std::numeric_limits<std::int64_t>::max();
    if (value <= -kBeyond)
        return std::numeric_limits<std::int64_t>::min();
    return std::isnan(value) ? 0 : std::llround(value);
}

}  // namespace overlane
