#include "core/analysis/verdict.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/golden.h"
#include "tests/support/sample_traces.h"

namespace overlane
{
namespace
{

using test::SampleTrace;

std::string asText(const Verdict& verdict)
{
    std::string text =
        fmt::format("{}\n{}\ncopies {} hidden {} exposed {} ns\nnow {} ns, could be {} ns{}\n", verdict.sentence,
                    verdict.advice, verdict.copies, verdict.hiddenCopies, verdict.exposedNs, verdict.nowNs,
                    verdict.couldBeNs, verdict.perStep ? " per step" : "");
    for (const Verdict::CauseShare& share : verdict.causes)
        text += fmt::format("{}: {} copies, {} ns\n", causeName(share.cause), share.copies, share.exposedNs);
    return text;
}

TEST(VerdictTest, PageableCopiesOnTheKernelsStream)
{
    const Trace trace = test::serialTrace();
    const Verdict found = verdict(trace, trace.span());
    EXPECT_EQ(found.tone, VerdictTone::Problem);
    EXPECT_EQ(found.cause, CopyCause::PageableMemory);
    EXPECT_EQ(found.nowNs, 100);
    EXPECT_EQ(found.couldBeNs, 60);
    test::expectGolden("analysis/verdict_serial.txt", asText(found));
}

TEST(VerdictTest, FirstCopyExposedTheOthersHidden)
{
    const Trace trace = test::overlappedTrace();
    const Verdict found = verdict(trace, trace.span());
    EXPECT_EQ(found.hiddenCopies, 3);
    EXPECT_EQ(found.copies, 4);
    test::expectGolden("analysis/verdict_overlapped.txt", asText(found));
}

TEST(VerdictTest, ComputeBoundIsNeutralAndAdvisesNothing)
{
    SampleTrace sample;
    sample.kernel(0, 1000);
    sample.copy(EventKind::CopyH2D, 100, 200, MemoryKind::Pageable, 1, 20);
    const Trace trace = sample.build();
    const Verdict found = verdict(trace, trace.span());
    EXPECT_EQ(found.tone, VerdictTone::Neutral);
    EXPECT_EQ(found.advice, "");
    EXPECT_EQ(found.nowNs, found.couldBeNs);
    test::expectGolden("analysis/verdict_compute_bound.txt", asText(found));
}

TEST(VerdictTest, NoGpuWorkAtAll)
{
    SampleTrace sample;
    sample.host(EventKind::HostWork, 0, 100, "work");
    const Trace trace = sample.build();
    const Verdict found = verdict(trace, trace.span());
    EXPECT_EQ(found.tone, VerdictTone::Nothing);
    EXPECT_EQ(found.sentence, "This trace has no GPU work: there are no copies to hide.");
}

TEST(VerdictTest, NoWorkOrNoCopyInTheRange)
{
    const Trace trace = test::serialTrace();
    EXPECT_EQ(verdict(trace, {46, 49}).sentence, "No GPU work in this range.");
    EXPECT_EQ(verdict(trace, {60, 90}).sentence, "No host-to-device copy in this range: nothing to hide.");
}

TEST(VerdictTest, ACopyWithoutAnyKernelAsksForALongerRange)
{
    const Trace trace = test::serialTrace();
    const Verdict found = verdict(trace, {0, 46});
    EXPECT_EQ(found.tone, VerdictTone::Problem);
    EXPECT_NE(found.advice.find("longer range"), std::string::npos) << found.advice;
}

TEST(VerdictTest, ACopyThatStartedBeforeTheRangeIsStillExposedInIt)
{
    const Trace trace = test::serialTrace();
    const Verdict found = verdict(trace, {20, 60});
    EXPECT_EQ(found.copies, 0);
    EXPECT_EQ(found.exposedNs, 25);
    EXPECT_EQ(found.tone, VerdictTone::Problem);
    EXPECT_EQ(found.sentence.find("0 of 0"), std::string::npos) << found.sentence;
}

TEST(VerdictTest, TheLargestExposedTimeNamesTheCause)
{
    SampleTrace sample;
    sample.kernel(0, 10, 7);
    for (std::int64_t i = 0; i < 5; ++i)
        sample.copy(EventKind::CopyH2D, 100 + i * 10, 105 + i * 10, MemoryKind::Pageable, 1, 20);
    sample.copy(EventKind::CopyH2D, 200, 300, MemoryKind::Pinned, 1, 7);
    const Trace trace = sample.build();
    const Verdict found = verdict(trace, trace.span());
    EXPECT_EQ(found.cause, CopyCause::SameStream);
    ASSERT_EQ(found.causes.size(), 2u);
    EXPECT_EQ(found.causes[0].exposedNs, 100);
    EXPECT_EQ(found.causes[1].copies, 5);
}

}  // namespace
}  // namespace overlane
