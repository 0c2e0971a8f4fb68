// Spread: a factor around 1 for a number (of a batch, a thread, a waking), the same on every machine.
//
// A sum of twelve uniform numbers stands in for a normal distribution (mean 0, deviation 1), so
// that no library's rounding enters; splitmix64 (Steele, Lea, Flood 2014) makes the numbers from
// seed and number, independent of the order in which they are asked for.
#pragma once

#include <algorithm>
#include <cstdint>

namespace overlane
{

constexpr std::uint64_t splitMix(std::uint64_t& state)
{
    state += 0x9E3779B97F4A7C15ull;
    std::uint64_t mixed = state;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ull;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBull;
    return mixed ^ (mixed >> 31);
}

// At least a twentieth, so that work never takes no time.
constexpr double spreadFactor(std::uint64_t seed, std::int64_t index, double spread)
{
    std::uint64_t state = seed;
    state = splitMix(state) ^ static_cast<std::uint64_t>(index);
    double sum = -6;
    for (int draw = 0; draw < 12; ++draw)
        sum += static_cast<double>(splitMix(state) >> 11) * 0x1p-53;
    return std::max(0.05, 1 + spread * sum);
}

}  // namespace overlane
