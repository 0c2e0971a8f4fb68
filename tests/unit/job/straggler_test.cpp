// Stragglers that a test planted into the traces of a job, named with their reason.
#include "core/job/straggler.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/content/terminal.h"
#include "tests/support/expect_text.h"
#include "tests/unit/job/made_traces.h"
#include "tests/unit/job/trace_digest.h"

namespace overlane
{
namespace
{

using test::kMs;
using test::MadeTraces;
using test::Plant;
using testing::IsEmpty;

std::vector<RankDigest> digestsOf(const MadeTraces& job)
{
    std::vector<RankDigest> digests;
    for (const Trace& trace : test::madeTraces(job))
        digests.push_back(test::digestOfTrace(trace, static_cast<int>(digests.size()), "node0"));
    return digests;
}

struct Answered {
    StragglerAnswer stragglers;
    JobCommunication communication;
};

Answered answerOf(const std::vector<RankDigest>& digests)
{
    const CollectiveMatch match = matchCollectives(digests);
    const ClockFit clocks = fitClocks(digests, match);
    JobCommunication communication = jobCommunication(digests, match, clocks);
    StragglerAnswer answer = findStragglers(digests, match, communication);
    return {std::move(answer), std::move(communication)};
}

struct Planted {
    Plant plant;
    StragglerReason reason;
};

class StragglerOf : public testing::TestWithParam<std::tuple<Planted, bool>>
{
};

TEST_P(StragglerOf, IsNamedWithItsReason)
{
    const auto [planted, waitsEachStep] = GetParam();
    const Answered none = answerOf(digestsOf({.waitsEachStep = waitsEachStep}));
    const auto stepNs = static_cast<double>(none.stragglers.stepNs);
    for (std::uint32_t seed = 1; seed <= 3; ++seed) {
        // A host that runs ahead hides some of it behind the GPU.
        const StragglerAnswer found = answerOf(digestsOf({.plant = planted.plant,
                                                          .plantedNs = waitsEachStep ? 5 * kMs : 12 * kMs,
                                                          .planted = 1 + static_cast<int>(seed) % 3,
                                                          .waitsEachStep = waitsEachStep,
                                                          .seed = seed}))
                                          .stragglers;
        ASSERT_EQ(found.stragglers.size(), 1u) << seed;
        EXPECT_EQ(found.stragglers[0].rank, 1 + seed % 3);
        EXPECT_GE(found.stragglers[0].steps, found.steps - 2);
        EXPECT_EQ(stragglerReasonId(found.stragglers[0].reason), stragglerReasonId(planted.reason)) << seed;
        // Without it the step is that of the job without a straggler; no less is promised where the host's queue hides
        // some of it.
        EXPECT_NEAR(static_cast<double>(found.withoutNs), stepNs, (waitsEachStep ? 0.1 : 0.2) * stepNs) << seed;
        EXPECT_GT(static_cast<double>(found.withoutNs), 0.97 * stepNs) << seed;
        EXPECT_GT(static_cast<double>(found.stepNs), 1.3 * stepNs) << seed;
    }
}

INSTANTIATE_TEST_SUITE_P(Reasons, StragglerOf,
                         testing::Combine(testing::Values(Planted{Plant::Loader, StragglerReason::Loader},
                                                          Planted{Plant::Pageable, StragglerReason::CopyCalls},
                                                          Planted{Plant::SlowGpu, StragglerReason::Compute},
                                                          Planted{Plant::LateHost, StragglerReason::Host},
                                                          Planted{Plant::SlowLink, StragglerReason::Link}),
                                          testing::Bool()),
                         [](const auto& of) {
                             return fmt::format("{}_{}", stragglerReasonId(std::get<0>(of.param).reason),
                                                std::get<1>(of.param) ? "waits" : "ahead");
                         });

TEST(Straggler, AJobWithoutOneHasNone)
{
    for (const bool waitsEachStep : {true, false})
        for (std::uint32_t seed = 1; seed <= 8; ++seed) {
            const std::vector<RankDigest> digests = digestsOf({.waitsEachStep = waitsEachStep, .seed = seed});
            const Answered answer = answerOf(digests);
            EXPECT_EQ(answer.stragglers.steps, 23 - static_cast<std::int64_t>(std::count_if(
                                                        digests[0].steps.begin(), digests[0].steps.end(),
                                                        [](const DigestStep& step) { return step.warmUp; })));
            EXPECT_THAT(answer.stragglers.stragglers, IsEmpty()) << seed;
        }
}

TEST(Straggler, IsSaidInWords)
{
    std::vector<std::string> texts;
    for (const Plant plant : {Plant::None, Plant::Loader, Plant::Pageable, Plant::SlowGpu}) {
        const std::vector<RankDigest> digests = digestsOf({.plant = plant});
        texts.push_back(terminalText(stragglerBlocks(answerOf(digests).stragglers, digests)));
    }
    test::expectText(texts);
}

// The hosts of two ranks run ahead, and one of them is behind from the start: the others wait for it, and it is as
// fast.
TEST(Straggler, ARankThatIsOnlyBehindIsNotNamed)
{
    std::vector<RankDigest> digests = digestsOf({.waitsEachStep = false});
    for (RankDigest& digest : digests)
        for (DigestCollective& one : digest.collectives)
            if (&digest != &digests[3]) {
                one.startNs -= 5 * kMs;
                one.durationNs += 5 * kMs;
                one.exposedNs = one.durationNs;
            }
    const StragglerAnswer answer = answerOf(digests).stragglers;
    EXPECT_THAT(answer.stragglers, IsEmpty());
    ASSERT_TRUE(answer.last.has_value());
    EXPECT_EQ(answer.last->rank, 3u);
    EXPECT_EQ(answer.last->why, NotNamed::NoLonger);
    EXPECT_NEAR(static_cast<double>(answer.last->waitedNs), 10.0 * kMs, 1.0 * kMs);
    // Of which nothing is known but what its GPU did.
    for (RankDigest& digest : digests)
        for (DigestStep& step : digest.steps)
            step.hostNs = step.hostStepNs = 0;
    EXPECT_EQ(answerOf(digests).stragglers.last.value().why, NotNamed::HostsUnknown);
    test::expectText(terminalText(stragglerBlocks(answer, digests)) +
                     terminalText(stragglerBlocks(answerOf(digests).stragglers, digests)));
}

// Four stages of a pipeline: each waits in receives for its neighbors, and in the all-reduce at the end of a step all
// wait for stage 0, which ends last. Milliseconds that a stage computes of each step of 100.
std::vector<RankDigest> pipelineDigests(const std::vector<std::int64_t>& computeMs)
{
    test::MadeJob made;
    made.perStep = 1;
    made.stepNs = 100 * kMs;
    made.ranksOfHost = 4;
    std::vector<RankDigest> digests = test::madeDigests(made);
    for (std::size_t rank = 0; rank < digests.size(); ++rank) {
        RankDigest& digest = digests[rank];
        for (std::size_t at = 0; at < digest.collectives.size(); ++at) {
            DigestCollective& one = digest.collectives[at];
            const std::int64_t waitsNs = 20 * kMs * static_cast<std::int64_t>(rank);
            one.startNs -= waitsNs;
            one.durationNs += waitsNs;
            one.exposedNs = one.durationNs;
            DigestStep step;
            step.number = one.step;
            step.interval = {one.startNs + one.durationNs, one.startNs + one.durationNs + 100 * kMs};
            step.computeNs = computeMs[rank] * kMs + static_cast<std::int64_t>(at % 3) * kMs;
            step.hostNs = 5 * kMs;
            step.hostStepNs = 100 * kMs;
            step.heldNs = 98 * kMs - step.computeNs;  // in the bubble, and in the all-reduce
            digest.steps.push_back(step);
        }
        // Receives take what the bubble takes.
        DigestCollective receive = digest.collectives.front();
        receive.kind = CollectiveKind::SendReceive;
        receive.startNs -= 40 * kMs;
        digest.collectives.insert(digest.collectives.begin(), receive);
    }
    return digests;
}

TEST(Straggler, AStageThatWaitsForItsPredecessorIsNotSlow)
{
    const StragglerAnswer even = answerOf(pipelineDigests({50, 50, 50, 50})).stragglers;
    EXPECT_THAT(even.stragglers, IsEmpty());
    ASSERT_TRUE(even.last.has_value());
    EXPECT_EQ(even.last->rank, 0u);
    EXPECT_EQ(even.last->why, NotNamed::NoLonger);
    const StragglerAnswer slow = answerOf(pipelineDigests({75, 50, 50, 50})).stragglers;
    ASSERT_EQ(slow.stragglers.size(), 1u);
    EXPECT_EQ(slow.stragglers[0].rank, 0u);
    EXPECT_EQ(slow.stragglers[0].reason, StragglerReason::Compute);
}

TEST(Straggler, NumbersThatComeTwiceAreOneStep)
{
    std::vector<RankDigest> digests = digestsOf({.ranks = 2, .planted = 1});
    for (DigestStep& step : digests[0].steps)
        step.number = 5;
    digests[1].steps.clear();
    EXPECT_NE(answerOf(digests).stragglers.whyNot, "");
}

// A stage whose steps were found from its GPU's work may have its microbatches for steps.
TEST(Straggler, StepsThatAreNotTheSameOnesAreNotCompared)
{
    std::vector<RankDigest> digests = digestsOf({.plant = Plant::LateHost});
    digests[1].stepNs = digests[0].stepNs / 8;
    const StragglerAnswer answer = answerOf(digests).stragglers;
    EXPECT_THAT(answer.stragglers, IsEmpty());
    test::expectText(answer.whyNot);
}

TEST(Straggler, TooLittleIsSaid)
{
    std::vector<RankDigest> digests = digestsOf({.steps = 2, .plant = Plant::LateHost});
    const StragglerAnswer answer = answerOf(digests).stragglers;
    EXPECT_NE(answer.whyNot, "");
    EXPECT_EQ(answer.last.value().rank, 2u);
    EXPECT_EQ(answer.last->why, NotNamed::FewSteps);
    test::expectText(terminalText(stragglerBlocks(answer, digests)));
    digests.resize(1);
    EXPECT_NE(answerOf(digests).stragglers.whyNot, "");
    EXPECT_NE(answerOf({}).stragglers.whyNot, "");
}

}  // namespace
}  // namespace overlane
