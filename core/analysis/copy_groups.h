// Copy groups: the copies of one direction that start in a range, by their cause.
//
// All that counts copies by cause, the verdict, the report's table and the window's badges, asks here. Pure
// function, any thread; nanoseconds, bytes. Sums saturate.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/analysis/copy_cause.h"

namespace overlane
{

struct CopyGroup {
    CopyCause cause = CopyCause::Unknown;
    std::int64_t copies = 0;
    std::int64_t exposedNs = 0;
    std::int64_t durationNs = 0;
    std::int64_t bytes = 0;
};

// One per cause, in the order of causes; those without copies too.
using CopyGroups = std::array<CopyGroup, kCopyCauseCount>;

// `copies` is a list of the analysis' devices, in order of start.
CopyGroups groupCopies(const Analysis& analysis, const std::vector<CopyRecord>& copies, Interval range);
// The exposed ones that have copies, most exposed time first.
std::vector<CopyGroup> exposedGroups(const CopyGroups& groups);

}  // namespace overlane
