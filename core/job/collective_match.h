// Which communication kernels of a job's ranks are members of one collective call.
//
// Groups are one by their name and ranks. Where the program numbers the collectives of a group, the number joins them.
// Else they are counted along each rank, and a rank is moved along the longest one until kinds and sizes agree: by the
// steps that asked for them, by the clock where two ranks share a host, by a pattern that fits in one place only, else
// from the start where all have as many. A rank that fits in several places is refused rather than guessed, since a
// clock fitted to wrong pairs is off by steps. A send and its receive are matched by their ends (send_receive_match.h);
// they do not end together, so that no clock is fitted to them. Those of a group of two are matched in their order
// (exchange_match.h). A pure function of the digests; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/content/block.h"
#include "core/job/packed_list.h"
#include "core/job/rank_digests.h"

namespace overlane
{

struct MatchedMember {
    std::uint32_t rank = 0;        // into the digests
    std::uint32_t collective = 0;  // into its collectives
};

template <>
struct PackedColumns<MatchedMember> {
    static constexpr std::size_t kCount = 2;
    static void write(const MatchedMember& member, std::int64_t* into)
    {
        into[0] = member.rank;
        into[1] = member.collective;
    }
    template <typename Value>
    [[gnu::always_inline]] static MatchedMember read(Value value)
    {
        return {static_cast<std::uint32_t>(value(0)), static_cast<std::uint32_t>(value(1))};
    }
};

struct MatchedCollective {
    std::uint32_t group = 0;  // into CollectiveMatch::groups
    CollectiveKind kind = CollectiveKind::Unknown;
    bool endsTogether = false;  // all members, within the latency of a link: what clocks may be fitted to
    std::int64_t bytes = 0;     // that it moves for one rank; the largest of the members
    // Into CollectiveMatch::members: two or more, by rank.
    std::size_t firstMember = 0;
    std::size_t memberCount = 0;
};

// The members of one collective, read from the list of all of them.
class MatchedMembers
{
public:
    using Iterator = PackedList<MatchedMember>::const_iterator;
    MatchedMembers(const PackedList<MatchedMember>& all, std::size_t first, std::size_t count)
        : m_begin(all, first), m_end(all, first + count)
    {
    }

    std::size_t size() const { return static_cast<std::size_t>(m_end - m_begin); }
    MatchedMember operator[](std::size_t at) const { return m_begin[static_cast<std::ptrdiff_t>(at)]; }
    MatchedMember front() const { return *m_begin; }
    Iterator begin() const { return m_begin; }
    Iterator end() const { return m_end; }

private:
    Iterator m_begin;
    Iterator m_end;
};

enum class GroupAlignment : std::uint8_t {
    Alone,     // one rank of it was recorded
    Sequence,  // the program's numbers
    Steps,
    Clock,
    Pattern,
    Counted,  // from the start of each recording, which has to be the same collective
    Refused,  // none of its ranks could be matched
};

struct MatchedGroup {
    std::string name;
    std::string description;
    std::vector<std::uint32_t> ranks;                  // into the digests: those recorded, ascending
    std::vector<std::uint32_t> refused;                // of these: where they begin cannot be told
    int size = 0;                                      // how many ranks it has; 0 where unknown
    GroupAlignment alignment = GroupAlignment::Alone;  // the least sure of its ranks
    std::int64_t whole = 0;                            // collectives of which every recorded rank has a member
    std::int64_t partial = 0;                          // with several members, and not those of all recorded ranks
};

struct CollectiveMatch {
    std::vector<MatchedGroup> groups;            // in order of their first member
    std::vector<MatchedCollective> collectives;  // by group, then in its order
    PackedList<MatchedMember> members;           // of all of them, one after another
    std::int64_t pointToPoint = 0;               // sends and receives without the other end

    MatchedMembers membersOf(const MatchedCollective& one) const { return {members, one.firstMember, one.memberCount}; }
    // Behind the others.
    void add(MatchedCollective one, std::span<const MatchedMember> of)
    {
        std::vector<MatchedMember>& all = members.edit();
        one.firstMember = all.size();
        one.memberCount = of.size();
        all.insert(all.end(), of.begin(), of.end());
        collectives.push_back(one);
    }
};

CollectiveMatch matchCollectives(const RankDigests& digests);

// "default_pg", "tp (ranks 4, 5)" where several groups are called so.
std::string groupLabel(const CollectiveMatch& match, std::uint32_t group, const RankDigests& digests);

// What was matched only in part or not at all; empty where all was.
Blocks matchRemarks(const CollectiveMatch& match, const RankDigests& digests);

}  // namespace overlane
