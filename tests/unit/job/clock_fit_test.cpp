// Clocks that a test made, found again from the ends of collectives.
#include "core/job/clock_fit.h"

#include <cmath>
#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "core/content/terminal.h"
#include "tests/support/expect_text.h"
#include "tests/unit/job/made_job.h"

namespace overlane
{
namespace
{

using test::kMadeEpochNs;
using test::kMs;
using test::kS;
using test::kUs;
using test::MadeClock;
using test::madeDigests;
using test::MadeJob;

constexpr std::int64_t kHour = 3600 * kS;

// A true time as the rank reads it, since the start of its trace.
std::int64_t readBy(const MadeClock& clock, const RankDigest& digest, std::int64_t trueNs)
{
    return kMadeEpochNs + trueNs + clock.offsetNs +
           static_cast<std::int64_t>(static_cast<double>(trueNs) * clock.driftPpm / 1e6) - digest.startEpochNs;
}

// How far two ranks are from reading the same job time at one true time, at most over the recording.
std::int64_t apartNs(const ClockFit& fit, const MadeJob& job, const std::vector<RankDigest>& digests, std::uint32_t a,
                     std::uint32_t b)
{
    std::int64_t mostNs = 0;
    for (int step = 0; step <= job.steps; ++step) {
        const auto at = [&](std::uint32_t rank) {
            return fit.jobNs(rank, readBy(job.clocks[rank / static_cast<std::uint32_t>(job.ranksOfHost)], digests[rank],
                                          step * job.stepNs));
        };
        mostNs = std::max(mostNs, std::abs(at(a) - at(b)));
    }
    return mostNs;
}

TEST(ClockFit, AnHourAndADriftAreFoundWithinTheErrorThatIsNamed)
{
    for (std::uint32_t seed = 1; seed <= 12; ++seed) {
        MadeJob job;
        job.seed = seed;
        job.steps = 100;
        job.outliers = 0.2;
        const auto jitterNs = static_cast<double>(5 * kUs);
        job.clocks = {
            {0, 0, jitterNs}, {kHour, 50, jitterNs}, {-kHour - 123'456'789, -20, jitterNs}, {40 * kUs, 3, jitterNs}};
        const std::vector<RankDigest> digests = madeDigests(job);
        const ClockFit fit = fitClocks(digests, matchCollectives(digests));
        ASSERT_EQ(fit.clocks.size(), 4u);
        EXPECT_GT(fit.errorNs, 5 * kUs);
        EXPECT_LT(fit.errorNs, 20 * kUs);
        for (std::uint32_t rank = 1; rank < 4; ++rank) {
            ASSERT_TRUE(fit.clocks[rank].fitted);
            EXPECT_LT(apartNs(fit, job, digests, 0, rank), fit.clocks[rank].errorNs) << seed << " " << rank;
            EXPECT_NEAR(fit.clocks[rank].driftPpm, job.clocks[rank].driftPpm, 1.5) << seed;
            const double middleNs = static_cast<double>(job.steps * job.stepNs) / 2;
            const double aheadNs =
                static_cast<double>(job.clocks[rank].offsetNs) + middleNs * job.clocks[rank].driftPpm / 1e6;
            EXPECT_NEAR(static_cast<double>(fit.clocks[rank].aheadNs), aheadNs, static_cast<double>(20 * kUs)) << seed;
        }
    }
}

TEST(ClockFit, NoDriftIsMadeOfJitter)
{
    for (std::uint32_t seed = 1; seed <= 12; ++seed) {
        MadeJob job;
        job.seed = seed;
        job.ranks = 2;
        const auto jitterNs = static_cast<double>(20 * kUs);
        job.clocks = {{0, 0, jitterNs}, {kMs, 0, jitterNs}};
        const std::vector<RankDigest> digests = madeDigests(job);
        const ClockFit fit = fitClocks(digests, matchCollectives(digests));
        EXPECT_EQ(fit.clocks[1].driftPpm, 0) << seed;
        EXPECT_LT(apartNs(fit, job, digests, 0, 1), fit.errorNs);
    }
}

TEST(ClockFit, HostsAreARowEach)
{
    MadeJob job;
    job.ranks = 8;
    job.ranksOfHost = 4;
    job.clocks = {{0, 0, 2000}, {7 * kS, -10, 2000}};
    const std::vector<RankDigest> digests = madeDigests(job);
    const ClockFit fit = fitClocks(digests, matchCollectives(digests));
    for (std::uint32_t rank = 1; rank < 8; ++rank)
        EXPECT_LT(apartNs(fit, job, digests, 0, rank), 4 * kUs);
    EXPECT_TRUE(fit.tellsApart(0, 7, 20 * kUs));
    EXPECT_FALSE(fit.tellsApart(0, 7, 1 * kUs));
    test::expectText(terminalText(clockBlocks(fit, digests)));
}

// Of two processes on one host too: each converts the times of its GPU itself.
TEST(ClockFit, RanksOfOneHostAreFittedApart)
{
    MadeJob job;
    job.ranks = 2;
    job.ranksOfHost = 1;
    job.clocks = {{0, 0, 2000}, {-50 * kUs, 7, 2000}};
    std::vector<RankDigest> digests = madeDigests(job);
    digests[1].identity.host = digests[0].identity.host;
    const ClockFit fit = fitClocks(digests, matchCollectives(digests));
    EXPECT_LT(apartNs(fit, job, digests, 0, 1), 4 * kUs);
}

// Of one process they read one clock, whatever their collectives say; a difference of a nanosecond is one.
TEST(ClockFit, GpusOfOneProcessHaveOneClock)
{
    MadeJob job;
    job.ranks = 2;
    job.ranksOfHost = 1;
    job.clocks = {{0, 0, 2000}, {kMs, 7, 2000}};
    std::vector<RankDigest> digests = madeDigests(job);
    EXPECT_FALSE(fitClocks(digests, matchCollectives(digests)).isOneClock);
    for (int gpu = 0; gpu < 2; ++gpu) {
        RankDigest& digest = digests[static_cast<std::size_t>(gpu)];
        digest.identity = {.gpu = gpu};
        digest.startEpochNs = kMadeEpochNs;
        digest.span.startNs = 5 * kMs + gpu;
    }
    const ClockFit fit = fitClocks(digests, matchCollectives(digests));
    EXPECT_TRUE(fit.isOneClock);
    EXPECT_EQ(fit.errorNs, 0);
    EXPECT_THAT(fit.strangers, ::testing::IsEmpty());
    for (std::uint32_t gpu = 0; gpu < 2; ++gpu) {
        EXPECT_TRUE(fit.clocks[gpu].fitted);
        EXPECT_EQ(fit.clocks[gpu].aheadNs, 0);
        EXPECT_EQ(fit.clocks[gpu].driftPpm, 0);
        EXPECT_EQ(fit.clocks[gpu].errorNs, 0);
        EXPECT_EQ(fit.jobNs(gpu, kS), kS - 5 * kMs);
    }
    EXPECT_TRUE(fit.tellsApart(0, 1, 1));
    EXPECT_FALSE(fit.tellsApart(0, 1, 0));
    test::expectText(terminalText(clockBlocks(fit, digests)));
}

// A rank without collectives stands where the epoch puts it, as its host's clock reads it.
TEST(ClockFit, ARankWithoutCollectivesKeepsTheClockOfItsHost)
{
    MadeJob job;
    job.ranks = 4;
    job.ranksOfHost = 2;
    job.clocks = {{0, 0, 0}, {kHour, 0, 0}};
    std::vector<RankDigest> digests = madeDigests(job);
    digests[3].collectives.clear();
    const ClockFit fit = fitClocks(digests, matchCollectives(digests));
    EXPECT_FALSE(fit.clocks[3].fitted);
    EXPECT_EQ(fit.jobNs(3, readBy(job.clocks[1], digests[3], kS)), fit.jobNs(0, readBy(job.clocks[0], digests[0], kS)));
    EXPECT_FALSE(fit.tellsApart(0, 3, kS));
}

// Groups of two, as a chain: the last shares nothing with the first.
TEST(ClockFit, ClocksAreFittedOverNeighbors)
{
    MadeJob job;
    job.isNumbered = true;
    job.ranks = 4;
    job.steps = 90;
    job.clocks = {{0, 0, 1000}, {kHour, 5, 1000}, {2 * kHour, 0, 1000}, {-kHour, -5, 1000}};
    std::vector<RankDigest> digests = madeDigests(job);
    for (std::uint32_t rank = 0; rank < 4; ++rank) {
        RankDigest& digest = digests[rank];
        digest.groups.assign(3, digest.groups[0]);
        for (int group = 0; group < 3; ++group) {
            digest.groups[static_cast<std::size_t>(group)].name = std::to_string(group);
            digest.groups[static_cast<std::size_t>(group)].ranks = {group, group + 1};
            digest.groups[static_cast<std::size_t>(group)].size = 2;
        }
        std::vector<DigestCollective> kept;
        for (std::size_t at = 0; at < digest.collectives.size(); ++at) {
            digest.collectives[at].group = static_cast<std::uint32_t>(at % 3);
            if (rank == at % 3 || rank == at % 3 + 1)
                kept.push_back(digest.collectives[at]);
        }
        digest.collectives = kept;
    }
    const ClockFit fit = fitClocks(digests, matchCollectives(digests));
    for (std::uint32_t rank = 1; rank < 4; ++rank) {
        ASSERT_TRUE(fit.clocks[rank].fitted);
        EXPECT_LT(apartNs(fit, job, digests, 0, rank), 5 * kUs) << rank;
    }
}

TEST(ClockFit, BroadcastsAreNoClock)
{
    MadeJob job;
    job.clocks = {{}, {kS, 0, 0}, {}, {}};
    std::vector<RankDigest> digests = madeDigests(job);
    for (RankDigest& digest : digests)
        for (DigestCollective& one : digest.collectives)
            one.kind = CollectiveKind::Broadcast;
    const ClockFit fit = fitClocks(digests, matchCollectives(digests));
    EXPECT_EQ(fit.ends, 0);
    EXPECT_FALSE(fit.clocks[1].fitted);
    EXPECT_FALSE(fit.tellsApart(0, 1, kHour));
    test::expectText(terminalText(clockBlocks(fit, digests)));
}

// Two runs of one program: the same numbers, groups and sizes, begun a while apart, with steps that vary.
TEST(ClockFit, RanksOfAnotherRunAreStrangers)
{
    MadeJob job;
    job.isNumbered = true;
    std::vector<RankDigest> digests = madeDigests(job);
    EXPECT_TRUE(fitClocks(digests, matchCollectives(digests)).strangers.empty());
    EXPECT_EQ(strangersText(fitClocks(digests, matchCollectives(digests)), digests), "");
    std::mt19937 random(1);
    std::int64_t laterNs = 20 * kS;
    for (std::size_t at = 0; at < digests[0].collectives.size(); ++at) {
        laterNs += static_cast<std::int64_t>(random() % 20) * kMs - 10 * kMs;
        for (const std::size_t rank : {2, 3})
            digests[rank].collectives[at].startNs += laterNs;
    }
    const ClockFit fit = fitClocks(digests, matchCollectives(digests));
    EXPECT_EQ(fit.strangers, (std::vector<std::uint32_t>{2, 3}));
    test::expectText(strangersText(fit, digests));
}

TEST(ClockFit, EpochsThatAreNotKnownAreFitted)
{
    MadeJob job;
    job.clocks = {{}, {}, {}, {}};
    std::vector<RankDigest> digests = madeDigests(job);
    const std::int64_t startNs = digests[2].startEpochNs;
    digests[2].startEpochNs = 0;
    const ClockFit fit = fitClocks(digests, matchCollectives(digests));
    EXPECT_TRUE(fit.clocks[2].fitted);
    EXPECT_EQ(fit.jobNs(2, kMadeEpochNs + kS - startNs), fit.jobNs(0, kMadeEpochNs + kS - digests[0].startEpochNs));
}

TEST(ClockFit, HostileTimesDoNotOverflow)
{
    MadeJob job;
    std::vector<RankDigest> digests = madeDigests(job);
    digests[1].startEpochNs = std::int64_t{1} << 61;
    digests[2].startEpochNs = -(std::int64_t{1} << 61);
    const ClockFit fit = fitClocks(digests, matchCollectives(digests));
    for (std::uint32_t rank = 0; rank < 4; ++rank)
        fit.jobNs(rank, std::int64_t{1} << 61);
    EXPECT_EQ(fitClocks({}, {}).clocks.size(), 0u);
}

}  // namespace
}  // namespace overlane
