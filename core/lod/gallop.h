// gallop: a binary search that is cheap where the answer lies near the beginning. Pure.
#pragma once

#include <cstdint>

namespace overlane
{

// The first index in [first, last) for which `before` is false, `last` where it never is.
template <typename Before>
std::uint32_t gallop(std::uint32_t first, std::uint32_t last, Before before)
{
    std::uint32_t low = first;
    std::uint32_t high = last;
    for (std::uint32_t step = 1; step <= last - low; step *= 2) {
        if (!before(low + step - 1)) {
            high = low + step - 1;
            break;
        }
        low += step;
    }
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (before(middle))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

}  // namespace overlane
