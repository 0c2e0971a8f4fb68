#include "core/compare/comparison.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

#include "core/compare/comparison_sentence.h"
#include "tests/support/expect_text.h"
#include "tests/unit/compare/training_trace.h"

namespace overlane
{
namespace
{

using test::around;
using test::TrainingRun;
using test::trainingTrace;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

struct Judged {
    explicit Judged(Trace made) : trace(std::move(made)), analysis(trace), steps(detectSteps(trace)) {}
    CompareSide side() const { return {&trace, &analysis, &steps}; }

    Trace trace;
    Analysis analysis;
    StepSequence steps;
};

Judged judged(const TrainingRun& run)
{
    return Judged(trainingTrace(run));
}

Comparison compared(const Judged& a, const Judged& b, const AlignmentWish& wish = {})
{
    const Result<Comparison> result = compare(a.side(), b.side(), wish);
    EXPECT_TRUE(result.ok());
    return result.value();
}

TEST(ComparisonTest, AFasterRunIsNamedWithItsReason)
{
    const Judged slow = judged({around(2'000'000, 12)});
    const Judged fast = judged({around(400'000, 14), 500'000, MemoryKind::Pinned});
    const Comparison comparison = compared(slow, fast);

    EXPECT_TRUE(comparison.perStep);
    EXPECT_EQ(comparison.stepTime.a.count, 12U);
    EXPECT_EQ(comparison.stepTime.b.count, 14U);
    EXPECT_EQ(comparison.stepTime.claim, Claim::Lower);
    EXPECT_LT(comparison.stepTime.p, 0.001);
    test::expectText(comparison.sentence);
}

TEST(ComparisonTest, TwoStepsClaimNothing)
{
    const Comparison comparison = compared(judged({around(2'000'000, 2)}), judged({around(400'000, 2)}));
    EXPECT_EQ(comparison.stepTime.claim, Claim::TooFew);
    test::expectText(comparison.sentence);
    EXPECT_THAT(comparison.sentence, Not(HasSubstr("faster")));
    for (const CauseChange& cause : comparison.devices.at(0).causes)
        EXPECT_EQ(cause.claim, Claim::TooFew);
}

TEST(ComparisonTest, TheSameRunIsNoDifference)
{
    const Judged run = judged({around(2'000'000, 20, 20'000)});
    const Comparison comparison = compared(run, run);
    EXPECT_EQ(comparison.stepTime.claim, Claim::WithinSpread);
    test::expectText(comparison.sentence);
    EXPECT_EQ(comparison.alignment.offsetNs(), 0);
    for (const WorkChange& kernel : comparison.devices.at(0).kernels)
        EXPECT_EQ(kernel.deltaNs(), 0);
}

TEST(ComparisonTest, KernelsAndCausesAddUpToTheStep)
{
    const Comparison comparison =
        compared(judged({around(2'000'000, 12)}), judged({around(400'000, 14), 700'000, MemoryKind::Pinned}));
    const DeviceComparison& device = comparison.devices.at(0);
    std::int64_t a = device.kernelsANs;
    std::int64_t b = device.kernelsBNs;
    for (const CauseChange& cause : device.causes) {
        a += cause.aNs;
        b += cause.bNs;
    }
    // Means are rounded down, one by one.
    EXPECT_NEAR(a, comparison.wallANs, 8);
    EXPECT_NEAR(b, comparison.wallBNs, 8);
}

TEST(ComparisonTest, AFewLongStepsAreNotHiddenByTheMedian)
{
    // Three short steps, then one that waits: the median says 940 us, a step costs more than 5 ms.
    std::vector<std::int64_t> stalling;
    for (std::int64_t i = 0; i < 20; ++i)
        stalling.push_back(i % 4 == 3 ? 18'000'000 + i : 400'000 + i);
    const Comparison comparison = compared(judged({around(2'000'000, 12)}), judged({stalling}));
    EXPECT_TRUE(comparison.uneven);
    EXPECT_EQ(comparison.stepTime.claim, Claim::TooUneven);
    test::expectText(comparison.sentence);
    EXPECT_THAT(comparison.sentence, Not(HasSubstr("faster")));
}

TEST(ComparisonTest, CopiesThatMovedToPinnedMemoryAreOneRow)
{
    const Comparison comparison =
        compared(judged({around(2'000'000, 8)}), judged({around(400'000, 8), 500'000, MemoryKind::Pinned}));
    const std::vector<WorkChange>& copies = comparison.devices.at(0).copies;
    ASSERT_EQ(copies.size(), 1U);
    EXPECT_EQ(memoryText(copies[0]), "pageable to pinned");
    EXPECT_EQ(sizeText(copies[0]), "1.00\u2009MiB");
    EXPECT_EQ(copies[0].a.count, 8);
    EXPECT_EQ(copies[0].b.count, 8);
    EXPECT_EQ(copies[0].claim, Claim::Lower);
}

TEST(ComparisonTest, KernelsAreMatchedByName)
{
    const Comparison comparison = compared(judged({around(400'000, 8), 500'000, MemoryKind::Pinned, "old"}),
                                           judged({around(400'000, 8), 300'000, MemoryKind::Pinned, "fused"}));
    const std::vector<WorkChange>& kernels = comparison.devices.at(0).kernels;
    ASSERT_EQ(kernels.size(), 2U);
    EXPECT_EQ(kernels[0].name, "old");
    EXPECT_EQ(kernels[0].b.count, 0);
    EXPECT_EQ(kernels[0].deltaNs(), -500'000);
    EXPECT_EQ(kernels[0].claim, Claim::Lower);
    EXPECT_EQ(kernels[1].name, "fused");
    EXPECT_EQ(kernels[1].deltaNs(), 300'000);
    EXPECT_EQ(kernels[1].claim, Claim::Higher);
}

TEST(ComparisonTest, OffsetPutsTheSameStepSideBySide)
{
    TrainingRun late{around(400'000, 8)};
    late.startNs = 5'000'000;
    const Judged a = judged({around(400'000, 8)});
    const Judged b = judged(late);
    EXPECT_EQ(compared(a, b).alignment.offsetNs(), 5'000'000);
    EXPECT_EQ(compared(a, b, {AlignBy::FirstKernel, {}}).alignment.offsetNs(), 5'000'000);
    const Comparison third = compared(a, b, {AlignBy::Step, 3});
    EXPECT_EQ(third.alignment.a.firstStep, "ProfilerStep#6");
    EXPECT_EQ(third.alignment.a.steps.size(), 5U);
    EXPECT_EQ(third.alignment.offsetNs(), 5'000'000);
}

TEST(ComparisonTest, WarmUpIsLeftOut)
{
    std::vector<std::int64_t> times = around(400'000, 9);
    times.insert(times.begin(), 9'000'000);
    const Comparison comparison = compared(judged({times}), judged({around(400'000, 9)}));
    EXPECT_EQ(comparison.stepTime.a.count, 9U);
    EXPECT_EQ(comparison.alignment.a.firstStep, "ProfilerStep#4");
}

TEST(ComparisonTest, WithoutStepsNothingIsClaimed)
{
    TrainingRun plain{around(2'000'000, 3)};
    plain.steps = false;
    const Judged a = judged(plain);
    const Judged b = judged({around(400'000, 8)});
    const Comparison comparison = compared(a, b);
    EXPECT_FALSE(comparison.perStep);
    EXPECT_EQ(comparison.alignment.by, AlignBy::FirstKernel);
    test::expectText(comparison.sentence);
    const Result<Comparison> byStep = compare(a.side(), b.side(), {AlignBy::Step, {}});
    ASSERT_FALSE(byStep.ok());
    test::expectText(byStep.error());
}

TEST(ComparisonTest, AStepThatIsNotThereIsAnError)
{
    const Judged run = judged({around(400'000, 8)});
    const Result<Comparison> result = compare(run.side(), run.side(), {AlignBy::Step, 8});
    ASSERT_FALSE(result.ok());
    test::expectText(result.error());
}

TEST(ComparisonTest, DevicesOfOtherIdsAreMatchedInOrder)
{
    TrainingRun second{around(400'000, 8)};
    second.device = 3;
    const Comparison comparison = compared(judged({around(400'000, 8)}), judged(second));
    ASSERT_EQ(comparison.devices.size(), 1U);
    EXPECT_EQ(comparison.devices[0].a.id, 0);
    EXPECT_EQ(comparison.devices[0].b.id, 3);
    EXPECT_TRUE(comparison.onlyInA.empty());
    EXPECT_TRUE(comparison.onlyInB.empty());
}

TEST(ComparisonTest, ATraceWithoutGpuWorkIsAnError)
{
    test::SampleTrace sample;
    sample.host(EventKind::HostWork, 0, 1000, "work");
    const Judged empty(sample.build());
    const Judged run = judged({around(400'000, 8)});
    const Result<Comparison> result = compare(empty.side(), run.side());
    ASSERT_FALSE(result.ok());
    test::expectText(result.error());
}

TEST(ComparisonTest, SimulatedRunsOfOneSeedClaimWhatWasSet)
{
    TrainingRun slow{around(400'000, 3, 200'000)};
    TrainingRun fast{around(300'000, 3, 200'000)};
    slow.metadata.format = "simulated";
    slow.metadata.scenarioJson = R"({"seed": 1})";
    fast.metadata = slow.metadata;
    test::expectText(compared(judged(slow), judged(fast)).sentence);
    test::expectText(compared(judged(slow), judged(slow)).sentence);
    fast.metadata.format = "recorded";
    test::expectText(compared(judged(slow), judged(fast)).sentence);
}

TEST(ComparisonSentenceTest, WordsForP)
{
    EXPECT_EQ(pText(0.0001), "p < 0.001");
    EXPECT_EQ(pText(0.012), "p = 0.012");
    EXPECT_EQ(pText(0.4), "p = 0.40");
}

}  // namespace
}  // namespace overlane
