#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <string>

#include "core/base/units.h"
#include "core/job/collective_match.h"

namespace overlane
{

std::string groupLabel(const CollectiveMatch& match, std::uint32_t group, const RankDigests& digests)
{
    const auto nameOf = [](const MatchedGroup& of) { return of.description.empty() ? of.name : of.description; };
    const MatchedGroup& of = match.groups[group];
    const auto called = std::count_if(match.groups.begin(), match.groups.end(),
                                      [&](const MatchedGroup& other) { return nameOf(other) == nameOf(of); });
    if (called < 2)
        return nameOf(of);
    constexpr std::size_t kMostNamed = 4;
    std::string ranks;
    for (std::size_t at = 0; at < std::min(of.ranks.size(), kMostNamed); ++at) {
        const std::optional<int> rank = digests[of.ranks[at]].identity.rank;
        ranks += (at == 0 ? "" : ", ") + (rank ? std::to_string(*rank) : std::string("unknown"));
    }
    return fmt::format("{} (ranks {}{})", nameOf(of), ranks, of.ranks.size() > kMostNamed ? ", ..." : "");
}

Blocks matchRemarks(const CollectiveMatch& match, const RankDigests& digests)
{
    Blocks blocks;
    const auto say = [&](std::string text) { blocks.push_back(Sentence{std::move(text), Tone::Muted}); };
    for (std::uint32_t at = 0; at < match.groups.size(); ++at) {
        const MatchedGroup& group = match.groups[at];
        const std::string name = groupLabel(match, at, digests);
        const auto recorded = static_cast<int>(group.ranks.size());
        if (group.size > recorded)
            say(fmt::format("Group {}: {} of its {} ranks are here; who came last is told among these.", name, recorded,
                            group.size));
        if (!group.refused.empty() && group.size > 0 && recorded > group.size)
            say(
                fmt::format("Group {}: several groups have this name, and their ranks are not in the traces. They are "
                            "not compared.",
                            name));
        else if (!group.refused.empty())
            say(
                fmt::format("Group {}: the collectives of {} fit those of the others in several places. Record with "
                            "numbered steps (torch.profiler with a schedule) to compare them.",
                            name, rankLabels(group.refused, digests, 8)));
        if (group.alignment == GroupAlignment::Counted)
            say(
                fmt::format("Group {}: collectives are counted from the start of each recording, which has to be the "
                            "same one on all ranks.",
                            name));
        if (group.partial > 0)
            say(fmt::format("Group {}: {} of {} collectives lack a rank that was recorded.", name,
                            formatCount(group.partial), formatCount(group.partial + group.whole)));
    }
    if (match.pointToPoint > 0)
        say(fmt::format("{} sends and receives are not matched: the other end is not in the traces, or several may be.",
                        formatCount(match.pointToPoint)));
    return blocks;
}

}  // namespace overlane
