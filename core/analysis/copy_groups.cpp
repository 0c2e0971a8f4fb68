#include "core/analysis/copy_groups.h"

#include <algorithm>

#include "core/base/saturated.h"

namespace overlane
{

CopyGroups groupCopies(const Analysis& analysis, const std::vector<CopyRecord>& copies, Interval range)
{
    CopyGroups groups{};
    for (std::size_t cause = 0; cause < groups.size(); ++cause)
        groups[cause].cause = static_cast<CopyCause>(cause);
    const auto [first, last] = analysis.startingIn(copies, range);
    for (std::size_t at = first; at < last; ++at) {
        const CopyRecord& copy = copies[at];
        CopyGroup& group = groups[static_cast<std::size_t>(copy.cause)];
        ++group.copies;
        group.exposedNs = saturatedSum(group.exposedNs, copy.exposedNs());
        group.durationNs = saturatedSum(group.durationNs, copy.durationNs);
        group.bytes = saturatedSum(group.bytes, copy.bytes);
    }
    return groups;
}

std::vector<CopyGroup> exposedGroups(const CopyGroups& groups)
{
    std::vector<CopyGroup> exposed;
    for (const CopyGroup& group : groups)
        if (group.copies > 0 && group.cause != CopyCause::Hidden)
            exposed.push_back(group);
    std::stable_sort(exposed.begin(), exposed.end(),
                     [](const CopyGroup& a, const CopyGroup& b) { return a.exposedNs > b.exposedNs; });
    return exposed;
}

}  // namespace overlane
