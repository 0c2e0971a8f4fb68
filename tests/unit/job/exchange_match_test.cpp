#include "core/job/exchange_match.h"

#include <gmock/gmock.h>

#include "core/job/clock_fit.h"
#include "core/job/job_communication.h"
#include "tests/unit/job/made_job.h"

namespace overlane
{
namespace
{

using test::kMs;
using test::kUs;

constexpr std::int64_t kApartNs = 749 * kUs;  // as the clocks of two processes of one host were

// Two stages: nine kernels a step, of which the later rank's are short. What they carry out is a send, a receive or
// both.
std::vector<RankDigest> twoStages(std::int64_t steps, std::int64_t leftOutOfSecond)
{
    std::vector<RankDigest> digests(2);
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
        digests[rank].identity.rank = static_cast<int>(rank);
        digests[rank].identity.host = "node1";
        digests[rank].startEpochNs = 1'700'000'000'000 * kMs;
        digests[rank].groups.push_back({.name = "NCCL dd97", .size = 2});
    }
    std::int64_t endNs = 0;
    for (std::int64_t at = 0; at < 9 * steps; ++at) {
        endNs += (10 + at * 7 % 5) * kMs;
        for (std::uint32_t rank = 0; rank < 2; ++rank) {
            if (rank == 1 && at < leftOutOfSecond)
                continue;  // its recording began later
            DigestCollective one;
            one.kind = CollectiveKind::SendReceive;
            one.bytes = 1 << 20;
            one.step = at / 9;
            one.durationNs = rank == 0 ? 9 * kMs : 12 * kUs;
            one.startNs = endNs - one.durationNs + (rank == 1 ? kApartNs + at % 3 * kUs : 0);
            one.exposedNs = one.durationNs;
            digests[rank].collectives.push_back(one);
        }
    }
    return digests;
}

TEST(ExchangeMatch, TheKernelsOfTwoStagesArePairedInTheirOrder)
{
    const std::vector<RankDigest> digests = twoStages(6, 12);
    const CollectiveMatch match = matchCollectives(digests);
    EXPECT_EQ(match.collectives.size(), 54u - 12u);
    EXPECT_EQ(match.pointToPoint, 12);
    ASSERT_EQ(match.groups.size(), 1u);
    EXPECT_EQ(match.groups[0].whole, 54 - 12);
    for (const MatchedCollective& one : match.collectives) {
        EXPECT_TRUE(one.endsTogether);
        EXPECT_EQ(one.bytes, 1 << 20);
        const MatchedMembers members = match.membersOf(one);
        ASSERT_EQ(members.size(), 2u);
        EXPECT_EQ(members[0].collective, members[1].collective + 12);
    }
}

TEST(ExchangeMatch, WhoseTurnItIsIsWaitedFor)
{
    const std::vector<RankDigest> digests = twoStages(6, 0);
    const CollectiveMatch match = matchCollectives(digests);
    const ClockFit clocks = fitClocks(digests, match);
    EXPECT_TRUE(clocks.clocks[0].fitted && clocks.clocks[1].fitted);
    const JobCommunication communication = jobCommunication(digests, match, clocks);
    ASSERT_EQ(communication.collectives.size(), 54u);
    for (const CollectiveTiming& timing : communication.collectives) {
        EXPECT_EQ(timing.last, 1u);
        EXPECT_TRUE(timing.lastIsSure);
        EXPECT_NEAR(static_cast<double>(timing.transferNs), 12.0 * kUs, 4.0 * kUs);
    }
}

// The first kernel of a step sends alone, and its buffer takes what it sends (on two H200s it ended 2 ms earlier).
TEST(ExchangeMatch, ASenderMayBeDoneEarlier)
{
    std::vector<RankDigest> digests = twoStages(6, 0);
    for (DigestCollective& one : digests[0].collectives)
        if (&one == &digests[0].collectives[static_cast<std::size_t>(9 * one.step)])
            one.startNs -= 2 * kMs;
    const CollectiveMatch match = matchCollectives(digests);
    ASSERT_EQ(match.collectives.size(), 54u);
    for (std::size_t at = 0; at < match.collectives.size(); ++at)
        EXPECT_EQ(match.collectives[at].endsTogether, at % 9 != 0) << at;
}

// One rank carries out in one kernel what the other does in two, so that which belongs to which is not known.
TEST(ExchangeMatch, KernelsThatDoNotEndTogetherStayAlone)
{
    std::vector<RankDigest> digests = twoStages(6, 0);
    auto& second = digests[1].collectives;
    for (std::size_t at = 0; at < second.size(); ++at)
        second[at].startNs += static_cast<std::int64_t>(at * at % 7) * kMs;
    const CollectiveMatch match = matchCollectives(digests);
    EXPECT_TRUE(match.collectives.empty());
    EXPECT_EQ(match.pointToPoint, 108);
}

// A recording that begins late does not see its communicators made.
TEST(ExchangeMatch, ThoseOfAGroupOfUnknownSizeArePairedByTheirEnds)
{
    std::vector<RankDigest> digests = twoStages(6, 0);
    digests[0].groups[0].size = digests[1].groups[0].size = 0;
    EXPECT_EQ(matchCollectives(digests).collectives.size(), 54u);
    digests.push_back(digests[1]);
    digests[2].identity.rank = 2;
    EXPECT_TRUE(matchCollectives(digests).collectives.empty()) << "three ranks may exchange with either other";
}

TEST(ExchangeMatch, OfThreeRanksTheOtherEndIsNotKnown)
{
    std::vector<RankDigest> digests = twoStages(6, 0);
    digests[0].groups[0].size = digests[1].groups[0].size = 3;
    EXPECT_TRUE(matchCollectives(digests).collectives.empty());
}

}  // namespace
}  // namespace overlane
