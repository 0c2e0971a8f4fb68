#include "core/job/send_receive_match.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <tuple>

namespace overlane
{
namespace
{

// Group by name and ranks, who sends, who receives, and in which step.
using Way = std::tuple<std::string, std::vector<int>, int, int, std::int64_t>;

struct BothEnds {
    std::vector<MatchedMember> sends;
    std::vector<MatchedMember> receives;
    std::string description;
};

std::uint32_t groupFor(const Way& way, const BothEnds& ends, CollectiveMatch& match)
{
    const std::uint32_t sender = ends.sends.front().rank;
    const std::uint32_t receiver = ends.receives.front().rank;
    for (std::uint32_t at = 0; at < match.groups.size(); ++at) {
        const std::vector<std::uint32_t>& ranks = match.groups[at].ranks;
        if (match.groups[at].name == std::get<0>(way) && std::binary_search(ranks.begin(), ranks.end(), sender) &&
            std::binary_search(ranks.begin(), ranks.end(), receiver))
            return at;
    }
    MatchedGroup made;
    made.name = std::get<0>(way);
    made.description = ends.description;
    made.ranks = {std::min(sender, receiver), std::max(sender, receiver)};
    made.alignment = std::get<4>(way) >= 0 ? GroupAlignment::Steps : GroupAlignment::Counted;
    match.groups.push_back(std::move(made));
    return static_cast<std::uint32_t>(match.groups.size() - 1);
}

}  // namespace

void matchSendsAndReceives(const RankDigests& digests, CollectiveMatch& match)
{
    std::map<Way, BothEnds> ways;
    for (std::uint32_t rank = 0; rank < digests.size(); ++rank)
        for (std::uint32_t at = 0; at < digests[rank].collectives.size(); ++at) {
            const DigestCollective& one = digests[rank].collectives[at];
            if (one.kind != CollectiveKind::SendReceive || one.peer < 0 || one.group >= digests[rank].groups.size())
                continue;
            const DigestGroup& group = digests[rank].groups[one.group];
            if (group.self < 0)
                continue;
            const int from = one.receives ? one.peer : group.self;
            const int to = one.receives ? group.self : one.peer;
            BothEnds& ends = ways[{group.name, group.ranks, from, to, one.step}];
            (one.receives ? ends.receives : ends.sends).push_back({rank, at});
            ends.description = group.description;
        }
    const auto ofOneRank = [](const std::vector<MatchedMember>& members) {
        return std::all_of(members.begin(), members.end(),
                           [&](const MatchedMember& one) { return one.rank == members.front().rank; });
    };
    for (const auto& [way, ends] : ways) {
        // Several ranks of one number are several groups of one name.
        if (ends.sends.empty() || ends.sends.size() != ends.receives.size() || !ofOneRank(ends.sends) ||
            !ofOneRank(ends.receives) || ends.sends.front().rank == ends.receives.front().rank)
            continue;
        const std::uint32_t group = groupFor(way, ends, match);
        for (std::size_t at = 0; at < ends.sends.size(); ++at) {
            MatchedCollective made;
            made.group = group;
            made.kind = CollectiveKind::SendReceive;
            std::array members{ends.sends[at], ends.receives[at]};
            if (members[1].rank < members[0].rank)
                std::swap(members[0], members[1]);
            for (const MatchedMember& member : members)
                made.bytes = std::max(made.bytes, digests[member.rank].collectives[member.collective].bytes);
            match.add(made, members);
            match.pointToPoint -= 2;
        }
    }
}

}  // namespace overlane
