// firstInGroups: a search in ascending times that touches little memory where the first time of each group of
// sixteen is kept side by side.
//
// Pure. `groupsNs` holds the times of the indices 0, 16, 32 ... of `timesNs`. Times in nanoseconds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/lod/gallop.h"

namespace overlane
{

constexpr std::uint32_t kSearchGroup = 16;
// Of a column, as a divisor: what its border may lie late where that saves looking into a group.
constexpr std::int64_t kBorderSlack = 8;
// Fewer groups are looked into all the same: one more of theirs would change what a column shows.
constexpr std::uint32_t kCrowdGroups = 4;

// The first index of [first, last), which ascend, at `timeNs` or later; `last` where there is none. Where it
// lies some groups away and the next group begins no later than `slackNs` behind the time, that group's first
// index: the answer for a time that much later at most, found without a look at single times. Cheap where the answer
// lies near `first`. Adds to `looked` the times that it looked at.
inline std::uint32_t firstInGroups(const std::vector<std::int64_t>& groupsNs, const std::vector<std::int64_t>& timesNs,
                                   std::uint32_t first, std::uint32_t last, std::int64_t timeNs, std::int64_t slackNs,
                                   std::size_t& looked)
{
    if (first >= last)
        return last;
    const std::uint32_t groups = (last + kSearchGroup - 1) / kSearchGroup;
    // The first group that begins behind `first` and not before the time.
    const std::uint32_t behind = gallop(first / kSearchGroup + 1, groups, [&](std::uint32_t group) {
        ++looked;
        return groupsNs[group] < timeNs;
    });
    if (slackNs > 0 && behind < groups && behind - first / kSearchGroup > kCrowdGroups &&
        groupsNs[behind] - slackNs <= timeNs)
        return behind * kSearchGroup;
    const std::uint32_t from = std::max(first, (behind - 1) * kSearchGroup);
    const std::uint32_t to = std::min(last, behind * kSearchGroup);
    std::uint32_t found = from;
    for (std::uint32_t i = from; i < to; ++i)
        found += timesNs[i] < timeNs ? 1 : 0;
    looked += to - from;
    return found;
}

}  // namespace overlane
