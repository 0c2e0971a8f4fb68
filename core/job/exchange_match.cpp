#include "core/job/exchange_match.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/base/saturated.h"
#include "core/base/statistics.h"
#include "core/job/rank_alignment.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kTogetherNs = 50'000;
constexpr std::size_t kFewestPairs = 8;

using GroupKey = std::pair<std::string, std::vector<int>>;  // name, ranks

struct Pair {
    MatchedMember first;
    MatchedMember second;
};

// The size of a group is not known where a recording began after its communicator was made. That of its ranks only two
// exchange is seen below, and by their ends.
bool mayBeOfTwo(const DigestGroup& group)
{
    return group.size == 2 || group.ranks.size() == 2 || (group.size == 0 && group.ranks.empty());
}

std::int64_t endNsOf(const RankDigests& digests, const MatchedMember& member)
{
    const RankDigest& digest = digests[member.rank];
    const DigestCollective& one = digest.collectives[member.collective];
    return saturatedSum(digest.startEpochNs, saturatedSum(one.startNs, one.durationNs));
}

// Which pairs end together: as far apart as those around them usually do. Where one rank alone sends and the other
// alone receives, the sender may be done long before.
std::vector<bool> togetherOf(const RankDigests& digests, const std::vector<Pair>& pairs)
{
    constexpr std::size_t kAround = 8;  // on either side
    std::vector<std::int64_t> apartNs;
    apartNs.reserve(pairs.size());
    for (const Pair& pair : pairs)
        apartNs.push_back(saturatedDifference(endNsOf(digests, pair.first), endNsOf(digests, pair.second)));
    std::vector<bool> together;
    for (std::size_t at = 0; at < apartNs.size(); ++at) {
        const std::size_t first = at < kAround ? 0 : at - kAround;
        const std::size_t last = std::min(at + kAround + 1, apartNs.size());
        const std::int64_t usualNs = lowerMedian(std::vector(apartNs.begin() + static_cast<std::ptrdiff_t>(first),
                                                             apartNs.begin() + static_cast<std::ptrdiff_t>(last)));
        const std::int64_t offNs = saturatedDifference(apartNs[at], usualNs);
        together.push_back(offNs >= -kTogetherNs && offNs <= kTogetherNs);
    }
    return together;
}

// Whether these are pairs at all.
bool arePairs(const std::vector<bool>& together)
{
    const auto near = static_cast<std::size_t>(std::count(together.begin(), together.end(), true));
    return together.size() >= kFewestPairs && 4 * near >= 3 * together.size();
}

std::vector<Pair> pairsOf(const RankList& reference, const RankList& moved, std::int64_t shift)
{
    std::vector<Pair> pairs;
    for (std::size_t at = 0; at < moved.members.size(); ++at) {
        const std::int64_t place = static_cast<std::int64_t>(at) + shift;
        if (place < 0 || place >= static_cast<std::int64_t>(reference.members.size()))
            continue;
        Pair pair{{reference.rank, reference.members[static_cast<std::size_t>(place)]},
                  {moved.rank, moved.members[at]}};
        if (pair.second.rank < pair.first.rank)
            std::swap(pair.first, pair.second);
        pairs.push_back(pair);
    }
    return pairs;
}

// Of this name and these ranks; made where its ranks share no collective.
std::uint32_t groupFor(const GroupKey& key, const Pair& pair, GroupAlignment how, const RankDigests& digests,
                       CollectiveMatch& match)
{
    const std::vector<std::uint32_t> ranks{pair.first.rank, pair.second.rank};
    for (std::uint32_t at = 0; at < match.groups.size(); ++at)
        if (match.groups[at].name == key.first && match.groups[at].ranks == ranks)
            return at;
    const RankDigest& digest = digests[pair.first.rank];
    const DigestGroup& group = digest.groups[digest.collectives[pair.first.collective].group];
    MatchedGroup made;
    made.name = key.first;
    made.description = group.description;
    made.ranks = ranks;
    made.size = 2;
    made.alignment = how;
    match.groups.push_back(std::move(made));
    return static_cast<std::uint32_t>(match.groups.size() - 1);
}

}  // namespace

void matchExchanges(const RankDigests& digests, CollectiveMatch& match)
{
    std::map<GroupKey, std::vector<RankList>> groups;
    for (std::uint32_t rank = 0; rank < digests.size(); ++rank) {
        const RankDigest& digest = digests[rank];
        for (std::uint32_t at = 0; at < digest.collectives.size(); ++at) {
            const DigestCollective& one = digest.collectives[at];
            if (one.kind != CollectiveKind::SendReceive || one.peer >= 0 || one.group >= digest.groups.size())
                continue;
            const DigestGroup& group = digest.groups[one.group];
            if (!mayBeOfTwo(group))
                continue;
            std::vector<RankList>& lists = groups[{group.name, group.ranks}];
            if (lists.empty() || lists.back().rank != rank)
                lists.push_back({rank, false, {}});
            lists.back().members.push_back(at);
        }
    }
    for (auto& [key, lists] : groups) {
        if (lists.size() != 2)
            continue;  // one was recorded, or several groups have one name
        if (lists[0].members.size() < lists[1].members.size())
            std::swap(lists[0], lists[1]);
        GroupAlignment how = GroupAlignment::Alone;
        const std::optional<std::int64_t> shift = alignRank(digests, lists[0], lists[1], how);
        const std::vector<Pair> pairs = shift ? pairsOf(lists[0], lists[1], *shift) : std::vector<Pair>();
        const std::vector<bool> together = togetherOf(digests, pairs);
        if (!arePairs(together))
            continue;
        const std::uint32_t number = groupFor(key, pairs.front(), how, digests, match);
        for (std::size_t at = 0; at < pairs.size(); ++at) {
            const Pair& pair = pairs[at];
            MatchedCollective made;
            made.group = number;
            made.kind = CollectiveKind::SendReceive;
            made.endsTogether = together[at];
            const std::array members{pair.first, pair.second};
            for (const MatchedMember& member : members)
                made.bytes = std::max(made.bytes, digests[member.rank].collectives[member.collective].bytes);
            match.add(made, members);
            match.pointToPoint -= 2;
        }
        match.groups[number].whole += static_cast<std::int64_t>(pairs.size());
    }
}

}  // namespace overlane
