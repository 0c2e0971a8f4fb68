#include "core/job/collective_match.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>

#include "core/base/parallel.h"
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
    static constexpr std::uint32_t kNoCall = 0xFFFFFFFF;

    void byNumber()
    {
        std::map<Key, std::uint32_t> calls;              // in order of first member
        std::vector<std::vector<std::uint32_t>> callOf;  // by list and member
        for (const RankList& list : m_of.lists) {
            std::map<std::int64_t, std::int64_t> met;
            std::vector<std::uint32_t>& of = callOf.emplace_back();
            of.reserve(list.members.size());
            for (const std::uint32_t at : list.members) {
                const std::int64_t number = m_digests[list.rank].collectives[at].sequence;
                of.push_back(
                    number < 0 ? kNoCall
                               : calls.try_emplace(Key{number, met[number]++}, static_cast<std::uint32_t>(calls.size()))
                                     .first->second);
            }
        }
        std::vector<std::uint32_t> inOrder(calls.size());
        std::uint32_t next = 0;
        for (const auto& [key, call] : calls)
            inOrder[call] = next++;
        take(calls.size(), [&](std::size_t list, std::size_t member) {
            const std::uint32_t call = callOf[list][member];
            return call == kNoCall ? kNoCall : inOrder[call];
        });
    }

    void byPlace()
    {
        MatchedGroup& group = m_of.group;
        const auto longest =
            std::max_element(m_of.lists.begin(), m_of.lists.end(),
                             [](const RankList& a, const RankList& b) { return a.members.size() < b.members.size(); });
        std::vector<std::optional<std::int64_t>> shifts(m_of.lists.size(), 0);
        std::vector<GroupAlignment> how(m_of.lists.size(), GroupAlignment::Alone);
        constexpr std::size_t kFew = 8;  // a thread takes longer to begin
        runInParallel(m_of.lists.size(), m_of.lists.size() <= kFew ? 1 : 0, [&](std::size_t at) {
            if (const RankList& list = m_of.lists[at]; &list != &*longest)
                shifts[at] = alignRank(m_digests, *longest, list, how[at]);
            return true;
        });
        std::int64_t first = 0;
        std::int64_t end = 0;
        for (std::size_t at = 0; at < shifts.size(); ++at) {
            if (!shifts[at]) {
                group.refused.push_back(m_of.lists[at].rank);
                continue;
            }
            group.alignment = std::max(group.alignment, how[at]);
            first = std::min(first, *shifts[at]);
            end = std::max(end, *shifts[at] + static_cast<std::int64_t>(m_of.lists[at].members.size()));
        }
        if (group.refused.size() + 1 == m_of.lists.size())
            group.alignment = GroupAlignment::Refused;
        take(static_cast<std::size_t>(end - first), [&](std::size_t list, std::size_t member) {
            return shifts[list] ? static_cast<std::uint32_t>(static_cast<std::int64_t>(member) + *shifts[list] - first)
                                : kNoCall;
        });
    }

    // callOf(list, member): the call that it is of, or kNoCall. Members are put where they will stay, since those of
    // hundreds of ranks are not to be held twice.
    template <typename CallOf>
    void take(std::size_t calls, CallOf callOf)
    {
        std::vector<std::size_t> ends(calls + 1, 0);  // of each call, and first its begin
        const auto each = [&](auto what) {
            for (std::size_t list = 0; list < m_of.lists.size(); ++list)
                for (std::size_t member = 0; member < m_of.lists[list].members.size(); ++member)
                    if (const std::uint32_t call = callOf(list, member); call != kNoCall)
                        what(call, list, member);
        };
        each([&](std::uint32_t call, std::size_t, std::size_t) { ++ends[call + 1]; });
        std::vector<MatchedMember>& all = m_into.members.edit();
        ends[0] = all.size();
        for (std::size_t call = 0; call < calls; ++call)
            ends[call + 1] += ends[call];
        all.resize(ends[calls]);
        std::vector<std::size_t> next(ends.begin(), ends.end() - 1);
        each([&](std::uint32_t call, std::size_t list, std::size_t member) {
            const RankList& of = m_of.lists[list];
            all[next[call]++] = {of.rank, of.members[member]};
        });
        m_of.lists = {};
        std::size_t kept = ends[0];
        for (std::size_t call = 0; call < calls; ++call)
            kept = takeCall(all, ends[call], ends[call + 1], kept);
        all.resize(kept);
    }

    // Members of another kind than most are no members: the numbers of one that was restarted, for one. The others move
    // to `kept`; the end of them.
    std::size_t takeCall(std::vector<MatchedMember>& all, std::size_t first, std::size_t end, std::size_t kept)
    {
        if (end - first < 2)
            return kept;
        std::array<std::size_t, kCollectiveKindCount> kinds{};
        std::array<std::int64_t, kCollectiveKindCount> bytes{};
        for (std::size_t at = first; at < end; ++at) {
            const DigestCollective one = m_digests[all[at].rank].collectives[all[at].collective];
            const auto kind = static_cast<std::size_t>(one.kind);
            ++kinds[kind];
            bytes[kind] = std::max(bytes[kind], one.bytes);
        }
        MatchedCollective made;
        made.group = m_number;
        made.kind = static_cast<CollectiveKind>(std::max_element(kinds.begin(), kinds.end()) - kinds.begin());
        made.firstMember = kept;
        made.memberCount = kinds[static_cast<std::size_t>(made.kind)];
        made.bytes = bytes[static_cast<std::size_t>(made.kind)];
        if (made.memberCount < 2)
            return kept;
        for (std::size_t at = first; at < end; ++at)
            if (made.memberCount == end - first || kindOf(all[at]) == made.kind)
                all[kept++] = all[at];
        made.endsTogether = endsTogether(made.kind);
        MatchedGroup& group = m_of.group;
        ++(made.memberCount == group.ranks.size() ? group.whole : group.partial);
        m_into.collectives.push_back(made);
        return kept;
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
    std::size_t most = 0;
    for (const RankDigest& digest : digests)
        most += digest.collectives.size();
    match.members.reserve(most);  // it never moves, so that it is never there twice
    for (GroupLists& group : listsOf(digests, match.pointToPoint)) {
        GroupMatcher(digests, group, static_cast<std::uint32_t>(match.groups.size()), match).match();
        group.lists = {};
    }
    if (match.pointToPoint > 0) {
        matchSendsAndReceives(digests, match);
        matchExchanges(digests, match);
    }
    match.members.pack();
    return match;
}

}  // namespace overlane
