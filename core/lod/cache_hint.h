// hintCache: has memory brought into the cache ahead of its use. A hint; wrong or right, nothing else changes.
//
// Columns of a crowded row read a few values each, some hundred bytes apart: waiting for memory is most of their
// time, and where the next ones lie is known well enough before these are summed up.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace overlane
{

// The values [first, first + count), as far as there are any.
template <typename T>
void hintCache(const std::vector<T>& values, std::size_t first, std::size_t count = 1)
{
    constexpr std::size_t kLineBytes = 64;
    constexpr std::size_t kStride = std::max<std::size_t>(1, kLineBytes / sizeof(T));
    const std::size_t last = std::min(values.size(), first + count);
    for (std::size_t i = first; i < last; i += kStride)
        __builtin_prefetch(&values[i]);
}

}  // namespace overlane
