#include "core/job/collective_match.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

#include "core/base/units.h"
#include "core/job/send_receive_match.h"

namespace overlane
{
namespace
{

// One rank's collectives of one group, in their order.
struct RankList {
    std::uint32_t rank = 0;
    bool isNumbered = false;
    std::vector<std::uint32_t> members;  // into its digest's collectives
};

struct GroupLists {
    MatchedGroup group;
    std::vector<RankList> lists;  // by rank
};

// Whether two may be members of one: sizes agree too where both are known, but for kinds of which they differ by rank.
bool mayBeOne(const DigestCollective& a, const DigestCollective& b)
{
    const bool isUneven =
        a.kind == CollectiveKind::AllToAll || a.kind == CollectiveKind::Gather || a.kind == CollectiveKind::Scatter;
    return a.kind == b.kind && (isUneven || a.bytes == b.bytes || a.bytes == 0 || b.bytes == 0);
}

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

class Aligner
{
public:
    Aligner(const RankDigests& digests, const RankList& reference, const RankList& moved)
        : m_digests(digests), m_reference(reference), m_moved(moved)
    {
    }

    // Added to a place in the moved list it gives that in the reference; none where several would do.
    std::optional<std::int64_t> find(GroupAlignment& how) const
    {
        how = GroupAlignment::Steps;
        if (const std::optional<std::int64_t> shift = bySteps())
            return shift;
        how = GroupAlignment::Clock;
        if (const std::optional<std::int64_t> shift = byClock())
            return shift;
        how = GroupAlignment::Counted;
        if (m_reference.members.size() == m_moved.members.size() && agrees(0))
            return 0;
        how = GroupAlignment::Pattern;
        return byPattern();
    }

private:
    const DigestCollective& reference(std::size_t at) const
    {
        return m_digests[m_reference.rank].collectives[m_reference.members[at]];
    }
    const DigestCollective& moved(std::size_t at) const
    {
        return m_digests[m_moved.rank].collectives[m_moved.members[at]];
    }
    // Places of the moved list that lie in the reference.
    std::pair<std::int64_t, std::int64_t> common(std::int64_t shift) const
    {
        return {std::max<std::int64_t>(0, -shift),
                std::min(static_cast<std::int64_t>(m_moved.members.size()),
                         static_cast<std::int64_t>(m_reference.members.size()) - shift)};
    }
    bool agrees(std::int64_t shift) const
    {
        const auto [first, last] = common(shift);
        for (std::int64_t at = first; at < last; ++at)
            if (!mayBeOne(moved(static_cast<std::size_t>(at)), reference(static_cast<std::size_t>(at + shift))))
                return false;
        return first < last;
    }
    // The part of the common places whose steps are the same.
    double stepsAgree(std::int64_t shift) const
    {
        const auto [first, last] = common(shift);
        std::int64_t same = 0;
        std::int64_t all = 0;
        for (std::int64_t at = first; at < last; ++at) {
            const std::int64_t a = moved(static_cast<std::size_t>(at)).step;
            const std::int64_t b = reference(static_cast<std::size_t>(at + shift)).step;
            if (a < 0 || b < 0)
                continue;
            ++all;
            same += a == b;
        }
        return all == 0 ? 0 : static_cast<double>(same) / static_cast<double>(all);
    }

    std::optional<std::int64_t> bySteps() const
    {
        std::unordered_map<std::int64_t, std::int64_t> firstOf;  // in the reference
        for (std::size_t at = 0; at < m_reference.members.size(); ++at)
            if (reference(at).step >= 0)
                firstOf.try_emplace(reference(at).step, static_cast<std::int64_t>(at));
        std::set<std::int64_t> candidates;
        std::set<std::int64_t> met;
        for (std::size_t at = 0; at < m_moved.members.size(); ++at)
            if (const auto found = firstOf.find(moved(at).step);
                found != firstOf.end() && met.insert(found->first).second)
                candidates.insert(found->second - static_cast<std::int64_t>(at));
        constexpr double kSure = 0.98;  // the steps are those of the calls, so that all agree but for damage
        std::optional<std::int64_t> best;
        double bestAgrees = 0;
        bool isOnly = true;
        for (const std::int64_t shift : candidates) {
            const double part = agrees(shift) ? stepsAgree(shift) : 0;
            if (part < kSure || part < bestAgrees)
                continue;
            isOnly = part > bestAgrees;
            bestAgrees = part;
            best = shift;
        }
        return isOnly ? best : std::nullopt;
    }

    // Ranks of one host read one clock: members end at nearly the same time.
    std::optional<std::int64_t> byClock() const
    {
        const RankDigest& a = m_digests[m_reference.rank];
        const RankDigest& b = m_digests[m_moved.rank];
        if (a.identity.host.empty() || a.identity.host != b.identity.host || a.startEpochNs == 0 || b.startEpochNs == 0)
            return std::nullopt;
        const std::int64_t laterNs = b.startEpochNs - a.startEpochNs;
        const auto endOf = [](const DigestCollective& one) { return one.startNs + one.durationNs; };
        std::vector<std::int64_t> ends;  // in the reference
        for (std::size_t at = 0; at < m_reference.members.size(); ++at)
            ends.push_back(endOf(reference(at)));
        if (!std::is_sorted(ends.begin(), ends.end()))
            return std::nullopt;
        constexpr std::size_t kProbes = 15;
        std::set<std::int64_t> candidates;
        const std::size_t count = m_moved.members.size();
        for (std::size_t probe = 0; probe < std::min(kProbes, count); ++probe) {
            const std::size_t at = probe * count / std::min(kProbes, count);
            const std::int64_t endNs = endOf(moved(at)) + laterNs;
            const auto next = std::lower_bound(ends.begin(), ends.end(), endNs) - ends.begin();
            for (const std::int64_t place : {next - 1, next})
                if (place >= 0 && place < static_cast<std::int64_t>(ends.size()))
                    candidates.insert(place - static_cast<std::int64_t>(at));
        }
        std::vector<std::pair<std::int64_t, std::int64_t>> apart;  // median distance of the ends, shift
        for (const std::int64_t shift : candidates) {
            if (!agrees(shift))
                continue;
            const auto [first, last] = common(shift);
            std::vector<std::int64_t> distances;
            for (std::int64_t at = first; at < last; ++at)
                distances.push_back(std::abs(endOf(moved(static_cast<std::size_t>(at))) + laterNs -
                                             ends[static_cast<std::size_t>(at + shift)]));
            std::nth_element(distances.begin(), distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2),
                             distances.end());
            apart.emplace_back(distances[distances.size() / 2], shift);
        }
        std::sort(apart.begin(), apart.end());
        constexpr std::int64_t kFarther = 4;
        if (apart.empty() || (apart.size() > 1 && apart[1].first < kFarther * apart[0].first))
            return std::nullopt;
        return apart[0].second;
    }

    std::optional<std::int64_t> byPattern() const
    {
        constexpr std::int64_t kLongest = 4096;
        const auto referenceSize = static_cast<std::int64_t>(m_reference.members.size());
        const auto movedSize = static_cast<std::int64_t>(m_moved.members.size());
        if (referenceSize > kLongest)
            return std::nullopt;
        const std::int64_t leastCommon = (3 * movedSize + 3) / 4;
        std::optional<std::int64_t> only;
        for (std::int64_t shift = leastCommon - movedSize; shift <= referenceSize - leastCommon; ++shift) {
            if (!agrees(shift))
                continue;
            if (only)
                return std::nullopt;
            only = shift;
        }
        return only;
    }

    const RankDigests& m_digests;
    const RankList& m_reference;
    const RankList& m_moved;
};

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
                shift = Aligner(m_digests, *longest, list).find(how);
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

std::string ranksText(const std::vector<std::uint32_t>& ranks, const RankDigests& digests)
{
    constexpr std::size_t kMostNamed = 8;
    std::string text;
    for (std::size_t at = 0; at < std::min(ranks.size(), kMostNamed); ++at)
        text += (at == 0 ? "" : ", ") + rankLabel(digests[ranks[at]].identity);
    return ranks.size() > kMostNamed ? fmt::format("{} and {} more", text, ranks.size() - kMostNamed) : text;
}

}  // namespace

std::string_view groupAlignmentName(GroupAlignment alignment)
{
    static constexpr std::array<std::string_view, 7> kNames{
        "one rank", "numbers of the program", "steps", "clock of the host", "pattern", "count", "refused"};
    return kNames.at(static_cast<std::size_t>(alignment));
}

bool endsTogether(CollectiveKind kind)
{
    return kind == CollectiveKind::AllReduce || kind == CollectiveKind::AllGather ||
           kind == CollectiveKind::ReduceScatter || kind == CollectiveKind::AllToAll || kind == CollectiveKind::Barrier;
}

CollectiveMatch matchCollectives(const RankDigests& digests)
{
    CollectiveMatch match;
    for (GroupLists& group : listsOf(digests, match.pointToPoint))
        GroupMatcher(digests, group, static_cast<std::uint32_t>(match.groups.size()), match).match();
    if (match.pointToPoint > 0)
        matchSendsAndReceives(digests, match);
    return match;
}

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
                            name, ranksText(group.refused, digests)));
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
