#include "core/job/waited_for.h"

#include <gmock/gmock.h>

#include "tests/unit/job/made_job.h"

namespace overlane
{
namespace
{

using test::kMs;

// Rank 2 of three comes last to all; of each collective the members, and what those but rank 2 wait.
struct Waits {
    std::vector<RankDigest> digests = std::vector<RankDigest>(3);
    CollectiveMatch match;
    JobCommunication communication;

    void add(const std::vector<std::pair<std::uint32_t, std::int64_t>>& waiting)
    {
        std::vector<MatchedMember> members;
        members.reserve(waiting.size() + 1);
        for (const auto& [rank, waitNs] : waiting)
            members.push_back(memberOf(rank, waitNs));
        members.push_back(memberOf(2, 0));
        CollectiveTiming timing;
        timing.collective = static_cast<std::uint32_t>(match.collectives.size());
        timing.step = 0;
        timing.transferNs = kMs;
        timing.last = 2;
        timing.lastIsSure = true;
        match.add({}, members);
        communication.collectives.push_back(timing);
    }
    MatchedMember memberOf(std::uint32_t rank, std::int64_t waitNs)
    {
        DigestCollective one;
        one.durationNs = kMs + waitNs;
        one.exposedNs = one.durationNs;
        digests[rank].collectives.push_back(one);
        return {rank, static_cast<std::uint32_t>(digests[rank].collectives.size() - 1)};
    }
    std::int64_t waitedNs() const { return waitedFor(digests, match, communication, nullptr).waitedNs[2]; }
};

// A last stage whose neighbor waits in an exchange, while its equal waits in the all-reduce.
TEST(WaitedFor, RanksOfTwoGroupsWaitAtTheSameTime)
{
    Waits waits;
    waits.add({{0, 150 * kMs}});
    waits.add({{1, 140 * kMs}});
    EXPECT_EQ(waits.waitedNs(), 140 * kMs);
}

TEST(WaitedFor, OneRankWaitsInTurn)
{
    Waits waits;
    waits.add({{0, 10 * kMs}, {1, 12 * kMs}});
    waits.add({{0, 20 * kMs}, {1, 30 * kMs}});
    EXPECT_EQ(waits.waitedNs(), 30 * kMs);
}

}  // namespace
}  // namespace overlane
