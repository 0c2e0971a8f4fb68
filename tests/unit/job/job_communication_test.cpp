#include "core/job/job_communication.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/content/terminal.h"
#include "tests/support/expect_text.h"
#include "tests/unit/job/dlrm_job.h"
#include "tests/unit/job/made_job.h"
#include "tests/unit/job/trace_digest.h"

namespace overlane
{
namespace
{

using test::kMs;
using test::kUs;
using test::madeDigests;
using test::MadeJob;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

JobCommunication communicationOf(const std::vector<RankDigest>& digests)
{
    const CollectiveMatch match = matchCollectives(digests);
    return jobCommunication(digests, match, fitClocks(digests, match));
}

TEST(JobCommunication, BusBandwidthIsThatOfNcclTests)
{
    EXPECT_DOUBLE_EQ(busFactor(CollectiveKind::AllReduce, 4), 1.5);
    EXPECT_DOUBLE_EQ(busFactor(CollectiveKind::AllReduce, 2), 1);
    for (const CollectiveKind kind :
         {CollectiveKind::AllGather, CollectiveKind::ReduceScatter, CollectiveKind::AllToAll})
        EXPECT_DOUBLE_EQ(busFactor(kind, 8), 0.875);
    EXPECT_DOUBLE_EQ(busFactor(CollectiveKind::Broadcast, 8), 1);
    EXPECT_DOUBLE_EQ(busFactor(CollectiveKind::Reduce, 8), 1);
}

// Ranks start 10 us apart, the highest first, and end together: the last one moves the bytes in 1 ms.
TEST(JobCommunication, TransferIsFromTheLastStartAndTheRestIsWaiting)
{
    for (const bool namesHosts : {true, false}) {
        MadeJob job;
        job.ranksOfHost = 4;
        job.namesHosts = namesHosts;
        const JobCommunication made = communicationOf(madeDigests(job));
        ASSERT_EQ(made.collectives.size(), 120u);
        const CollectiveTiming& first = made.collectives[0];
        EXPECT_EQ(first.transferNs, kMs);
        EXPECT_EQ(first.waitingNs, 60 * kUs);
        EXPECT_EQ(first.last, 0u);
        EXPECT_EQ(first.lateNs, 10 * kUs);
        EXPECT_TRUE(first.lastIsSure);
        EXPECT_EQ(first.step, 10);
        EXPECT_DOUBLE_EQ(first.algorithmBytesPerS, (1 << 20) * 1e3);
        EXPECT_DOUBLE_EQ(first.busBytesPerS, 1.5 * (1 << 20) * 1e3);
        EXPECT_EQ(made.ranks[0].cameLast, 120);
        EXPECT_EQ(made.ranks[0].waitingNs, 0);
        EXPECT_EQ(made.ranks[3].waitingNs, 120 * 30 * kUs);
        EXPECT_EQ(made.ranks[3].transferNs, 120 * kMs);
        ASSERT_EQ(made.families.size(), 3u);
        EXPECT_EQ(made.families[0].count, 40);
    }
}

// The root of a broadcast may be done before the others begin.
TEST(JobCommunication, WhatDoesNotEndTogetherTakesItsShortestMember)
{
    MadeJob job;
    job.ranksOfHost = 4;
    std::vector<RankDigest> digests = madeDigests(job);
    for (RankDigest& digest : digests)
        digest.collectives[5].kind = CollectiveKind::Broadcast;
    digests[0].collectives[5].startNs -= 5 * kMs;
    const JobCommunication made = communicationOf(digests);
    EXPECT_EQ(made.collectives[5].transferNs, kMs);
    EXPECT_FALSE(made.collectives[5].lastIsSure);
    EXPECT_EQ(made.ranks[0].cameLast, 119);
}

TEST(JobCommunication, BelowTheErrorOfTheClocksNoneCameLast)
{
    MadeJob job;
    const auto jitterNs = static_cast<double>(30 * kUs);
    job.clocks = {{0, 0, jitterNs}, {0, 0, jitterNs}, {0, 0, jitterNs}, {0, 0, jitterNs}};
    const JobCommunication made = communicationOf(madeDigests(job));
    std::int64_t sure = 0;
    for (const RankCommunication& rank : made.ranks)
        sure += rank.cameLast;
    EXPECT_LT(sure, 30);
    EXPECT_EQ(made.collectives.size(), 120u);
}

TEST(JobCommunication, AGroupWithASlowLinkStandsOut)
{
    MadeJob job;
    job.ranks = 8;
    job.ranksOfHost = 2;
    job.isNumbered = true;
    std::vector<RankDigest> digests = madeDigests(job);
    for (int rank = 0; rank < 8; ++rank) {
        RankDigest& digest = digests[static_cast<std::size_t>(rank)];
        digest.groups[0].ranks = {rank / 2 * 2, rank / 2 * 2 + 1};
        digest.groups[0].size = 2;
        for (DigestCollective& one : digest.collectives)
            if (rank / 2 == 2) {
                one.startNs -= one.durationNs;
                one.durationNs *= 2;
            }
    }
    const JobCommunication made = communicationOf(digests);
    std::vector<std::uint32_t> slow;
    for (const CollectiveFamily& family : made.families)
        if (family.isSlow)
            slow.push_back(family.group);
    EXPECT_THAT(slow, ElementsAre(2, 2, 2));
    // A single one of its ranks is not told: both wait for their link.
    test::expectText(terminalText(communicationBlocks(made, matchCollectives(digests), digests)));
}

TEST(JobCommunication, NoCollectivesAreSaid)
{
    std::vector<RankDigest> digests(2);
    test::expectText(terminalText(communicationBlocks(communicationOf(digests), matchCollectives(digests), digests)));
}

// HolisticTraceAnalysis 0.5.0 of the same four files (PyPI, 2026-11-27; docs/validation/jobs.md):
// TraceAnalysis(trace_dir=...).get_comm_comp_overlap() is the part of the communication that kernels hide,
// get_gpu_kernel_breakdown() the time of its kernels, get_potential_stragglers() [0, 2].
TEST(JobCommunication, AgreesWithHtaOnDlrm)
{
    constexpr double kOverlapPercent[] = {4.50, 2.47, 7.88, 3.31};
    constexpr std::int64_t kAllReduceUs[] = {1799, 1830, 1685, 1772};
    constexpr std::int64_t kSendReceiveUs[] = {3999, 9506, 1807, 8002};
    std::vector<RankDigest> digests;
    for (int rank = 0; rank < 4; ++rank)
        digests.push_back(test::digestOfTrace(test::dlrmTrace(rank), rank, ""));
    const JobCommunication made = communicationOf(digests);
    for (std::size_t rank = 0; rank < 4; ++rank) {
        const RankCommunication& of = made.ranks[rank];
        EXPECT_EQ(of.durationNs, (kAllReduceUs[rank] + kSendReceiveUs[rank]) * kUs);
        const double hidden = 100 * (1 - static_cast<double>(of.exposedNs) / static_cast<double>(of.durationNs));
        EXPECT_NEAR(hidden, kOverlapPercent[rank], 0.005) << rank;
    }
    std::vector<std::size_t> order{0, 1, 2, 3};
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return made.ranks[a].waitingNs < made.ranks[b].waitingNs; });
    order.resize(2);
    EXPECT_THAT(order, UnorderedElementsAre(0, 2));
    EXPECT_EQ(made.ranks[2].cameLast, 5);
}

}  // namespace
}  // namespace overlane
