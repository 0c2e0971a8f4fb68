#include "core/job/job_figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/content/terminal.h"
#include "core/job/held_back.h"
#include "core/job/job_notes.h"
#include "tests/support/expect_text.h"
#include "tests/support/times.h"

namespace overlane
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

// What a step of 100 ms of a rank is made of; the rest is exposed communication.
struct MadeStep {
    std::int64_t computeMs = 60;
    std::int64_t batchesMs = 0;
    std::int64_t hostMs = 0;
    std::int64_t stepMs = 100;
};

JobRank rankOf(int rank, const MadeStep& step)
{
    JobRank made;
    made.identity = {rank, 4, {}, "", "trace"};
    made.file.trace = "rank" + std::to_string(rank) + ".overlane";
    RankDigest& digest = made.digest;
    digest.identity = made.identity;
    digest.deviceId = 0;
    digest.device = "a GPU";
    digest.program = "PyTorch";
    digest.startEpochNs = 1'700'000'000'000'000'000;
    digest.stepNs = step.stepMs * kMs;
    // Ten steps.
    digest.whole.interval = {0, 10 * step.stepMs * kMs};
    digest.whole.computeNs = 10 * step.computeMs * kMs;
    const auto set = [&](LostCause cause, std::int64_t ms) {
        digest.whole.lostNs[static_cast<std::size_t>(cause)] = 10 * ms * kMs;
    };
    set(LostCause::Batches, step.batchesMs);
    set(LostCause::LaunchBound, step.hostMs);
    set(LostCause::Communication, step.stepMs - step.computeMs - step.batchesMs - step.hostMs);
    return made;
}

Job jobOf(std::vector<MadeStep> steps)
{
    Job job;
    for (std::size_t rank = 0; rank < steps.size(); ++rank)
        job.ranks.push_back(rankOf(static_cast<int>(rank), steps[rank]));
    return job;
}

TEST(RankParts, EveryCauseIsInOneAndTheyAddUp)
{
    DigestStep step;
    step.computeNs = 1'000'000;
    std::int64_t sum = step.computeNs;
    for (std::size_t cause = 0; cause < step.lostNs.size(); ++cause)
        sum += step.lostNs[cause] = std::int64_t{1} << cause;
    std::int64_t parts = 0;
    for (const std::int64_t partNs : partsOf(step))
        parts += partNs;
    EXPECT_EQ(parts, sum);
}

TEST(JobFigures, OfRanksThatKeepPaceTheOneThatWaitsLeastForOthersIsNamed)
{
    const Job job = jobOf({{}, {.batchesMs = 30}, {}, {.computeMs = 61}});
    const JobFigures figures = jobFigures(job);
    EXPECT_TRUE(figures.perStep);
    EXPECT_TRUE(figures.keepsPace);
    EXPECT_EQ(figures.median.stepNs, 100 * kMs);
    EXPECT_EQ(figures.slowest, 1u);
    EXPECT_EQ(figures.slowestPart, RankPart::Loader);
    EXPECT_EQ(figures.slowestPartMoreNs, 30 * kMs);
    test::expectText(slowestSentence(job, figures));
    test::expectText(terminalText(jobBlocks(job)));
}

// Its step is the longest, since it waits.
TEST(JobFigures, ARankIsNotSlowForWhatItWaits)
{
    const Job job = jobOf({{}, {}, {.stepMs = 140}, {.hostMs = 8}});
    const JobFigures figures = jobFigures(job);
    EXPECT_EQ(figures.slowest, 3u);
    EXPECT_EQ(figures.slowestPart, RankPart::Host);
    EXPECT_EQ(figures.slowestMoreNs, 8 * kMs);
}

TEST(JobFigures, OfRanksThatDoNotKeepPaceTheOneWithMostOfItsOwnIsNamed)
{
    const Job job = jobOf({{}, {}, {.computeMs = 80, .stepMs = 140}});
    const JobFigures figures = jobFigures(job);
    EXPECT_FALSE(figures.keepsPace);
    EXPECT_EQ(figures.slowest, 2u);
    EXPECT_EQ(figures.slowestMoreNs, 20 * kMs);
    EXPECT_EQ(figures.slowestPart, RankPart::Compute);  // the first of two that are as large
    test::expectText(slowestSentence(job, figures));
}

TEST(JobAnalysis, OfTwoFilesOfARankTheFirstIsCompared)
{
    Job job = jobOf({{}, {}, {}});
    job.ranks[2].identity.rank = 1;
    EXPECT_THAT(analyzeJob(job).places, ElementsAre(0, 1));
}

// Matched by number, their collectives would show waiting that there was not.
TEST(JobAnalysis, OfSeveralRunsNothingIsSaidTogether)
{
    Job job = jobOf({{}, {}});
    for (std::size_t rank = 0; rank < 2; ++rank) {
        RankDigest& digest = job.ranks[rank].digest;
        digest.groups.push_back({.name = "0", .size = 2});
        digest.groups.back().sequenceIsGlobal = true;
        for (std::int64_t at = 0; at < 20; ++at) {
            DigestCollective one;
            one.kind = CollectiveKind::AllReduce;
            one.sequence = at;
            one.startNs = at * kMs * (rank == 0 ? 100 : 117);
            one.durationNs = kMs;
            digest.collectives.push_back(one);
        }
    }
    const JobAnalysis analysis = analyzeJob(job);
    EXPECT_TRUE(analysis.isOfSeveralRuns());
    EXPECT_TRUE(analysis.match.collectives.empty());
    EXPECT_FALSE(analysis.comparesRanks());
    EXPECT_EQ(jobAnswer(job, jobFigures(job), analysis).size(), 1u);
    EXPECT_FALSE(jobBlocks(job).empty());
}

TEST(JobFigures, EqualRanksAreSaidToBeEqual)
{
    const Job job = jobOf({{}, {.computeMs = 61}, {}, {}});
    test::expectText(slowestSentence(job, jobFigures(job)));
    EXPECT_EQ(slowestSentence(jobOf({{}}), jobFigures(jobOf({{}}))), "");
    EXPECT_FALSE(terminalText(jobBlocks(jobOf({{}}))).empty());
    EXPECT_FALSE(terminalText(jobBlocks(Job())).empty());
}

TEST(JobFigures, StepsThatAreNotTheSameOnesAreNotCompared)
{
    Job job = jobOf({{}, {}, {}});
    job.ranks[2].digest.stepNs = 12 * kMs;
    const JobFigures figures = jobFigures(job);
    EXPECT_FALSE(figures.perStep);
    EXPECT_EQ(figures.median.stepNs, 1000 * kMs) << "of the whole ranges";
    test::expectText(slowestSentence(job, figures));
}

TEST(JobFigures, WithoutStepsOfAllTheActiveRangesAreCompared)
{
    Job job = jobOf({{}, {}, {}});
    job.ranks[1].digest.stepNs = 0;
    const JobFigures figures = jobFigures(job);
    EXPECT_FALSE(figures.perStep);
    EXPECT_EQ(figures.median.stepNs, 1000 * kMs);
    test::expectText(slowestSentence(job, figures));
}

TEST(JobFigures, RanksThatCannotBeComparedAreLeftOut)
{
    Job job = jobOf({{}, {}, {}, {}, {}});
    job.ranks[0].problem = "rank0.overlane is empty; record the trace again.";
    job.ranks[1].digest.deviceId = -1;
    job.ranks[2].digest.kernelsKnown = false;
    EXPECT_EQ(jobFigures(job).ranks.size(), 2u);
    EXPECT_EQ(jobTable(job, jobFigures(job)).rows.size(), 3u);
    test::expectText(terminalText(jobBlocks(job)));
}

TEST(JobFigures, IdleTimeOfNoKnownCauseNamesNoRank)
{
    Job job = jobOf({{}, {}});
    RankDigest& waits = job.ranks[1].digest;
    std::swap(waits.whole.lostNs[static_cast<std::size_t>(LostCause::Communication)],
              waits.whole.lostNs[static_cast<std::size_t>(LostCause::Dependency)]);
    test::expectText(terminalText(jobAnswer(job, jobFigures(job), analyzeJob(job))));
}

// The first sentence of an answer that names no rank.
TEST(JobFigures, WhatHoldsAJobBackIsSaidFirst)
{
    std::vector<std::string> texts;
    for (const MadeStep& step :
         {MadeStep{.computeMs = 93}, MadeStep{.batchesMs = 35}, MadeStep{.computeMs = 50, .hostMs = 40}, MadeStep{}})
        for (const int ranks : {2, 512}) {
            const Job job = jobOf(std::vector<MadeStep>(static_cast<std::size_t>(ranks), step));
            texts.push_back(terminalText(jobAnswer(job, jobFigures(job), analyzeJob(job))));
        }
    test::expectText(texts);
    const Job one = jobOf({{}});
    EXPECT_FALSE(heldBack(one, jobFigures(one)));
}

TEST(JobFigures, OfManyRanksThoseAreShownThatDifferMost)
{
    std::vector<MadeStep> steps(500);
    steps[123].batchesMs = 20;
    steps[400].hostMs = 30;
    const Job job = jobOf(steps);
    const JobFigures figures = jobFigures(job);
    const Table picked = mostDifferentRows(figures, jobTable(job, figures), 2);
    ASSERT_EQ(picked.rows.size(), 3u);
    EXPECT_EQ(picked.rows[0].cells[0].text, "rank 123");
    EXPECT_EQ(picked.rows[1].cells[0].text, "rank 400");
    EXPECT_EQ(picked.rows[2].cells[0].text, "median");
    EXPECT_NE(picked.rows[0].remark, "");
}

TEST(JobNotes, ListsOfRanksAreShort)
{
    EXPECT_EQ(rankListText({3}), "3");
    EXPECT_EQ(rankListText({4, 5, 6, 7}), "4 to 7");
    EXPECT_EQ(rankListText({9, 1, 2, 4, 5, 6, 4}), "1, 2, 4 to 6 and 9");
    std::vector<int> even;
    for (int rank = 0; rank < 100; rank += 2)
        even.push_back(rank);
    test::expectText(rankListText(even));
}

TEST(JobNotes, WhatDoesNotBelongTogetherIsSaid)
{
    Job job = jobOf({{}, {}, {}, {}});
    EXPECT_THAT(jobNotes(job), IsEmpty());
    job.ranks[3].identity.rank = 1;
    job.ranks[3].identity.worldSize = 16;
    job.ranks[2].digest.program = "JAX";
    job.ranks[2].digest.device = "another GPU";
    job.ranks[2].digest.startEpochNs += 5400 * kNsPerS;
    job.ranks[2].digest.damage = "the gzip data ends in the middle";
    job.ranks[0].digest.deviceChoice = "1 of 2 GPUs with work: GPU 0, by its rank.";
    job.ranks[0].digest.groups = {{.name = "0", .ranks = {0, 1, 2, 3}}};
    job.ranks[1].digest.groups = {{.name = "0", .ranks = {0, 1}}};
    job.notes = {"Left out, since no trace: settings.json."};
    std::string said;
    for (const std::string& note : jobNotes(job))
        said += note + "\n";
    test::expectText(said);
}

TEST(JobNotes, OfManyOfOneKindAFewAreTold)
{
    Job job = jobOf(std::vector<MadeStep>(100));
    for (JobRank& rank : job.ranks)
        rank.problem = rank.file.trace + " is empty.";
    EXPECT_THAT(jobNotes(job), testing::SizeIs(11));
    test::expectText(jobNotes(job).back());
}

TEST(JobNotes, RanksWithoutANumberAreNamed)
{
    Job job = jobOf({{}, {}});
    for (JobRank& rank : job.ranks)
        rank.identity.rank.reset();
    ASSERT_THAT(jobNotes(job), testing::SizeIs(1));
    test::expectText(jobNotes(job).front());
    EXPECT_THAT(job.missing(), IsEmpty());
}

}  // namespace
}  // namespace overlane
