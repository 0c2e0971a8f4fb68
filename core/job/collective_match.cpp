#include "core/job/collective_match.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>

#include "core/job/exchange_match.h"
#include "core/job/rank_alignment.h"
#include "core/job/send_receive_match.h"

namespace overlane
{
namespace
{

struct GroupLists {
    MatchedGroup group;
    std::vector<RankList> lists;  // by rank
};

bool isUnnamed(const DigestGroup& group)
{
    return group.ranks.empty() && group.size == 0 && !group.sequenceIsGlobal;
}

// Streams may be numbered differently on each rank; then their order counts.
bool sameNamesEverywhere(const RankDigests& digests)
{
    std::optional<std::set<std::string>> first;
    for (const RankDigest& digest : digests) {
        std::set<std::string> names;
        for (const DigestGroup& group : digest.groups)
            if (isUnnamed(group))
                names.insert(group.name);
        if (names.empty())
            continue;
        if (!first)
            first = std::move(names);
        else if (*first != names)
            return false;
    }
    return true;
}

std::vector<GroupLists> listsOf(const RankDigests& digests, std::int64_t& pointToPoint)
{
    const bool byName = sameNamesEverywhere(digests);
    std::map<std::string, std::size_t> places;
    std::vector<GroupLists> groups;
    for (std::uint32_t rank = 0; rank < digests.size(); ++rank) {
        const RankDigest& digest = digests[rank];
        std::vector<std::size_t> placeOf;
        int unnamed = 0;
        for (const DigestGroup& group : digest.groups) {
            std::string key = "named\n" + group.name;
            for (const int member : group.ranks)
                key += fmt::format("\n{}", member);
            if (isUnnamed(group))
                key = byName ? "stream\n" + group.name : fmt::format("stream\n{}", unnamed);
            unnamed += isUnnamed(group) ? 1 : 0;
            const auto [place, isNew] = places.try_emplace(key, groups.size());
            if (isNew) {
                groups.emplace_back();
                groups.back().group.name = group.name;
            }
            MatchedGroup& known = groups[place->second].group;
            if (known.description.empty())
                known.description = group.description;
            known.size = std::max(known.size, group.size);
            placeOf.push_back(place->second);
        }
        for (std::uint32_t at = 0; at < digest.collectives.size(); ++at) {
            const DigestCollective& one = digest.collectives[at];
            if (one.group >= placeOf.size())
                continue;
            if (one.kind == CollectiveKind::SendReceive) {
                ++pointToPoint;
                continue;
            }
            std::vector<RankList>& lists = groups[placeOf[one.group]].lists;
            if (lists.empty() || lists.back().rank != rank)
                lists.push_back({rank, digest.groups[one.group].sequenceIsGlobal, {}});
            lists.back().members.push_back(at);
        }
    }
    std::erase_if(groups, [](const GroupLists& group) { return group.lists.empty(); });
    return groups;
}

bool endsTogether(CollectiveKind kind)
{
    return kind == CollectiveKind::AllReduce || kind == CollectiveKind::AllGather ||
           kind == CollectiveKind::ReduceScatter || kind == CollectiveKind::AllToAll || kind == CollectiveKind::Barrier;
}

class GroupMatcher
{
public:
    GroupMatcher(const RankDigests& digests, GroupLists& of, std::uint32_t number, CollectiveMatch& into)
        : m_digests(digests), m_of(of), m_number(number), m_into(into)
    {
    }

    void match()
    {
        MatchedGroup& group = m_of.group;
        for (const RankList& list : m_of.lists)
            group.ranks.push_back(list.rank);
        const bool isNumbered =
            std::all_of(m_of.lists.begin(), m_of.lists.end(), [](const RankList& list) { return list.isNumbered; });
        if (group.size > 0 && static_cast<int>(group.ranks.size()) > group.size) {
            // Several groups of one name, whose ranks are not known.
            group.alignment = GroupAlignment::Refused;
            group.refused = group.ranks;
        } else if (group.ranks.size() > 1) {
            group.alignment = isNumbered ? GroupAlignment::Sequence : GroupAlignment::Alone;
            isNumbered ? byNumber() : byPlace();
        }
        m_into.groups.push_back(std::move(group));
    }

private:
    using Key = std::pair<std::int64_t, std::int64_t>;  // number, and which of the kernels of that number

    void byNumber()
    {
        std::map<Key, std::vector<MatchedMember>> calls;
        for (const RankList& list : m_of.lists) {
            std::map<std::int64_t, std::int64_t> met;
            for (const std::uint32_t at : list.members) {
                const std::int64_t number = m_digests[list.rank].collectives[at].sequence;
                if (number >= 0)
                    calls[{number, met[number]++}].push_back({list.rank, at});
            }
        }
        take(calls);
    }

    void byPlace()
    {
        const auto longest =
            std::max_element(m_of.lists.begin(), m_of.lists.end(),
                             [](const RankList& a, const RankList& b) { return a.members.size() < b.members.size(); });
        std::map<Key, std::vector<MatchedMember>> calls;
        MatchedGroup& group = m_of.group;
        for (const RankList& list : m_of.lists) {
            std::optional<std::int64_t> shift = 0;
            GroupAlignment how = GroupAlignment::Alone;
            if (&list != &*longest)
                shift = alignRank(m_digests, *longest, list, how);
            if (!shift) {
                group.refused.push_back(list.rank);
                continue;
            }
            group.alignment = std::max(group.alignment, how);
            for (std::size_t at = 0; at < list.members.size(); ++at)
                calls[{static_cast<std::int64_t>(at) + *shift, 0}].push_back({list.rank, list.members[at]});
        }
        if (group.refused.size() + 1 == m_of.lists.size())
            group.alignment = GroupAlignment::Refused;
        take(calls);
    }

    // Members of another kind than most are no members: the numbers of one that was restarted, for one.
    void take(const std::map<Key, std::vector<MatchedMember>>& calls)
    {
        for (const auto& [key, members] : calls) {
            std::array<int, kCollectiveKindCount> kinds{};
            for (const MatchedMember& member : members)
                ++kinds[static_cast<std::size_t>(kindOf(member))];
            MatchedCollective made;
            made.group = m_number;
            made.kind = static_cast<CollectiveKind>(std::max_element(kinds.begin(), kinds.end()) - kinds.begin());
            for (const MatchedMember& member : members) {
                if (kindOf(member) != made.kind)
                    continue;
                made.bytes = std::max(made.bytes, m_digests[member.rank].collectives[member.collective].bytes);
                made.members.push_back(member);
            }
            if (made.members.size() < 2)
                continue;
            made.endsTogether = endsTogether(made.kind);
            MatchedGroup& group = m_of.group;
            ++(made.members.size() == group.ranks.size() ? group.whole : group.partial);
            m_into.collectives.push_back(std::move(made));
        }
    }
    CollectiveKind kindOf(const MatchedMember& member) const
    {
        return m_digests[member.rank].collectives[member.collective].kind;
    }

    const RankDigests& m_digests;
    GroupLists& m_of;
    const std::uint32_t m_number;
    CollectiveMatch& m_into;
};

}  // namespace

CollectiveMatch matchCollectives(const RankDigests& digests)
{
    CollectiveMatch match;
    for (GroupLists& group : listsOf(digests, match.pointToPoint))
        GroupMatcher(digests, group, static_cast<std::uint32_t>(match.groups.size()), match).match();
    if (match.pointToPoint > 0) {
        matchSendsAndReceives(digests, match);
        matchExchanges(digests, match);
    }
    return match;
}

}  // namespace overlane
