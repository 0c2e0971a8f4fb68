#include "core/job/collective_match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/content/terminal.h"
#include "tests/support/expect_text.h"
#include "tests/unit/job/made_job.h"

namespace overlane
{
namespace
{

using test::kMs;
using test::madeDigests;
using test::MadeJob;
using testing::ElementsAre;
using testing::IsEmpty;

// Every member of a collective is the same one of its rank, counted from the end, which all made ranks share.
void expectRight(const CollectiveMatch& match, const std::vector<RankDigest>& digests)
{
    for (const MatchedCollective& one : match.collectives) {
        const auto fromEnd = [&](const MatchedMember& member) {
            return digests[member.rank].collectives.size() - member.collective;
        };
        for (const MatchedMember& member : match.membersOf(one))
            EXPECT_EQ(fromEnd(member), fromEnd(match.membersOf(one).front()));
    }
}

TEST(CollectiveMatch, TheProgramsNumbersJoinRanksThatBeginApart)
{
    MadeJob job;
    job.isNumbered = true;
    std::vector<RankDigest> digests = madeDigests(job);
    test::beginLater(digests[2], 5, true);
    const CollectiveMatch match = matchCollectives(digests);
    ASSERT_EQ(match.groups.size(), 1u);
    EXPECT_EQ(match.groups[0].alignment, GroupAlignment::Sequence);
    EXPECT_EQ(match.groups[0].whole, 115);
    EXPECT_EQ(match.groups[0].partial, 5);
    EXPECT_THAT(match.groups[0].ranks, ElementsAre(0, 1, 2, 3));
    ASSERT_EQ(match.collectives.size(), 120u);
    EXPECT_EQ(match.collectives[0].memberCount, 3u);
    EXPECT_EQ(match.collectives[0].bytes, 1 << 20);
    expectRight(match, digests);
}

TEST(CollectiveMatch, StepsAlignWhatIsOnlyCounted)
{
    for (const std::size_t later : {0u, 1u, 3u, 7u}) {
        std::vector<RankDigest> digests = madeDigests({});
        test::beginLater(digests[0], later, false);
        const CollectiveMatch match = matchCollectives(digests);
        ASSERT_EQ(match.groups.size(), 1u);
        EXPECT_EQ(match.groups[0].alignment, GroupAlignment::Steps);
        EXPECT_EQ(match.groups[0].whole, static_cast<std::int64_t>(120 - later));
        EXPECT_THAT(match.groups[0].refused, IsEmpty());
        expectRight(match, digests);
    }
}

TEST(CollectiveMatch, OneCollectiveAStepIsAlignedByItsStepToo)
{
    MadeJob job;
    job.perStep = 1;
    std::vector<RankDigest> digests = madeDigests(job);
    test::beginLater(digests[3], 2, false);
    const CollectiveMatch match = matchCollectives(digests);
    EXPECT_EQ(match.groups.at(0).alignment, GroupAlignment::Steps);
    expectRight(match, digests);
}

TEST(CollectiveMatch, WithoutStepsTheClockOfOneHostDecides)
{
    MadeJob job;
    job.numbersSteps = false;
    job.ranksOfHost = 4;
    std::vector<RankDigest> digests = madeDigests(job);
    test::beginLater(digests[1], 6, false);
    const CollectiveMatch match = matchCollectives(digests);
    EXPECT_EQ(match.groups.at(0).alignment, GroupAlignment::Clock);
    EXPECT_EQ(match.groups.at(0).whole, 114);
    expectRight(match, digests);
}

TEST(CollectiveMatch, WhatFitsInSeveralPlacesIsRefused)
{
    MadeJob job;
    job.numbersSteps = false;
    std::vector<RankDigest> digests = madeDigests(job);
    test::beginLater(digests[1], 6, false);
    const CollectiveMatch match = matchCollectives(digests);
    EXPECT_THAT(match.groups.at(0).refused, ElementsAre(1));
    EXPECT_EQ(match.groups[0].alignment, GroupAlignment::Counted);
    for (const MatchedCollective& one : match.collectives)
        for (const MatchedMember& member : match.membersOf(one))
            EXPECT_NE(member.rank, 1u);
    test::expectText(terminalText(matchRemarks(match, digests)));
}

TEST(CollectiveMatch, AnIrregularPatternFitsInOnePlace)
{
    MadeJob job;
    job.numbersSteps = false;
    job.steps = 20;
    std::vector<RankDigest> digests = madeDigests(job);
    for (RankDigest& digest : digests)
        digest.collectives[31].bytes = 77;
    test::beginLater(digests[1], 6, false);
    const CollectiveMatch match = matchCollectives(digests);
    EXPECT_EQ(match.groups.at(0).alignment, GroupAlignment::Counted);  // the others, which begin alike
    EXPECT_THAT(match.groups[0].refused, IsEmpty());
    expectRight(match, digests);
}

TEST(CollectiveMatch, GroupsOfOneNameAreToldApartByTheirRanks)
{
    MadeJob job;
    job.isNumbered = true;
    std::vector<RankDigest> digests = madeDigests(job);
    for (std::size_t rank = 0; rank < 4; ++rank) {
        digests[rank].groups[0].ranks = rank < 2 ? std::vector<int>{0, 1} : std::vector<int>{2, 3};
        digests[rank].groups[0].size = 2;
    }
    CollectiveMatch match = matchCollectives(digests);
    ASSERT_EQ(match.groups.size(), 2u);
    EXPECT_THAT(match.groups[0].ranks, ElementsAre(0, 1));
    EXPECT_THAT(match.groups[1].ranks, ElementsAre(2, 3));
    EXPECT_EQ(match.collectives.size(), 240u);
    // Without the ranks, two groups of two look like one of four.
    for (RankDigest& digest : digests)
        digest.groups[0].ranks.clear();
    match = matchCollectives(digests);
    ASSERT_EQ(match.groups.size(), 1u);
    EXPECT_EQ(match.groups[0].alignment, GroupAlignment::Refused);
    EXPECT_THAT(match.collectives, IsEmpty());
    test::expectText(terminalText(matchRemarks(match, digests)));
}

TEST(CollectiveMatch, StreamsOfOtherNumbersAreMatchedByTheirOrder)
{
    std::vector<RankDigest> digests = madeDigests({});
    digests[2].groups[0].name = "stream 35";
    const CollectiveMatch match = matchCollectives(digests);
    ASSERT_EQ(match.groups.size(), 1u);
    EXPECT_EQ(match.groups[0].whole, 120);
}

// A pipeline of three stages; each step a stage sends two batches to the next.
TEST(CollectiveMatch, SendsAreMatchedWithTheirReceives)
{
    std::vector<RankDigest> digests(3);
    const auto add = [&](int rank, bool receives, int peer, std::int64_t step) {
        RankDigest& digest = digests[static_cast<std::size_t>(rank)];
        digest.identity.rank = rank;
        if (digest.groups.empty())
            digest.groups.push_back({.name = "pp", .self = rank});
        DigestCollective one;
        one.kind = CollectiveKind::SendReceive;
        one.receives = receives;
        one.peer = static_cast<std::int16_t>(peer);
        one.step = step;
        one.startNs = static_cast<std::int64_t>(digest.collectives.size()) * kMs;
        one.durationNs = kMs;
        digest.collectives.push_back(one);
    };
    for (std::int64_t step = 5; step < 8; ++step)
        for (int batch = 0; batch < 2; ++batch) {
            add(0, false, 1, step);
            add(1, true, 0, step);
            add(1, false, 2, step);
            if (step > 5)  // its recording began later
                add(2, true, 1, step);
        }
    const CollectiveMatch match = matchCollectives(digests);
    EXPECT_EQ(match.collectives.size(), 6u + 4u);
    EXPECT_EQ(match.pointToPoint, 2);
    for (const MatchedCollective& one : match.collectives) {
        const MatchedMembers members = match.membersOf(one);
        ASSERT_EQ(members.size(), 2u);
        const DigestCollective& a = digests[members[0].rank].collectives[members[0].collective];
        const DigestCollective& b = digests[members[1].rank].collectives[members[1].collective];
        EXPECT_EQ(members[0].rank + 1, members[1].rank);
        EXPECT_FALSE(a.receives);
        EXPECT_TRUE(b.receives);
        EXPECT_EQ(a.step, b.step);
    }
}

TEST(CollectiveMatch, SendsAndReceivesAreLeftOut)
{
    MadeJob job;
    job.steps = 2;
    std::vector<RankDigest> digests = madeDigests(job);
    digests[0].collectives[1].kind = CollectiveKind::SendReceive;
    const CollectiveMatch match = matchCollectives(digests);
    EXPECT_EQ(match.pointToPoint, 1);
}

TEST(CollectiveMatch, NothingAndOneRankMakeNoMatch)
{
    EXPECT_THAT(matchCollectives({}).collectives, IsEmpty());
    MadeJob job;
    job.ranks = 1;
    const CollectiveMatch match = matchCollectives(madeDigests(job));
    EXPECT_THAT(match.collectives, IsEmpty());
    EXPECT_EQ(match.groups.at(0).alignment, GroupAlignment::Alone);
}

}  // namespace
}  // namespace overlane
