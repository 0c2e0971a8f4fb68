// The bytes that loader actors write and a kernel checks: word i of a block with content `seed`.
//
// One addition per word, so that filling runs at the speed of memory; seeds are scattered, so that
// no two blocks agree in any word. Blocks are checked at one word per page. Pure; host and device.
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define OVERLANE_BOTH_SIDES __host__ __device__
#else
#define OVERLANE_BOTH_SIDES
#endif

namespace overlane
{

constexpr std::uint64_t kWordsPerSample = 512;

OVERLANE_BOTH_SIDES constexpr std::uint64_t patternWord(std::uint64_t seed, std::uint64_t index)
{
    return seed + index * 0x9E3779B97F4A7C15ull;
}

// The seed of the n-th content, and of the result that a kernel makes of a batch (splitmix64 by
// Sebastiano Vigna, public domain).
OVERLANE_BOTH_SIDES constexpr std::uint64_t scatter(std::uint64_t value)
{
    value += 0x9E3779B97F4A7C15ull;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ull;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBull;
    return value ^ (value >> 31);
}

}  // namespace overlane
