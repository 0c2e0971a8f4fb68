#include "core/judgement/judgement.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/judgement/judged_trace.h"
#include "core/judgement/time_parts.h"
#include "tests/support/expect_text.h"
#include "tests/unit/findings/loop_trace.h"

namespace overlane
{
namespace
{

using test::kStepNs;
using test::LoopTrace;
using testing::ElementsAre;
using testing::IsEmpty;

// In each step a copy from pageable memory before the kernel.
Trace loop(std::int64_t steps)
{
    LoopTrace made(steps);
    made.eachStep([&](std::int64_t startNs, std::int64_t) {
        made.copy(EventKind::CopyH2D, {startNs, startNs + 3 * kMs}, {startNs + kMs, startNs + 3 * kMs},
                  MemoryKind::Pageable, 7);
        made.launch(startNs + 3 * kMs, startNs + kStepNs);
    });
    return made.build();
}

std::unique_ptr<const JudgedTrace> judged(Trace trace, const TraceRequest& request = {})
{
    return JudgedTrace::make(std::move(trace), "loop", request).value();
}

TEST(Judgement, IsOfTheActiveRangeAndSaysOneThing)
{
    const auto trace = judged(loop(8));
    const Judgement& judgement = trace->judgement;
    EXPECT_FALSE(judgement.selected);
    EXPECT_TRUE(judgement.kernelsKnown);
    EXPECT_EQ(judgement.range, (Interval{0, 8 * kStepNs}));
    EXPECT_EQ(judgement.steps, 8);
    EXPECT_EQ(judgement.stepNs, kStepNs);
    EXPECT_EQ(judgement.verdict.nowNs, judgement.stepNs);
    EXPECT_EQ(judgement.verdict.range, judgement.range);
    EXPECT_EQ(judgement.findings.range, judgement.range);
    EXPECT_EQ(judgement.findings.steps, judgement.steps);
    EXPECT_EQ(judgement.summary.range, judgement.range);
    ASSERT_EQ(judgement.devices.size(), 1u);
    const DeviceJudgement& device = judgement.devices.front();
    EXPECT_EQ(device.toDevice.copies, judgement.verdict.copies);
    EXPECT_EQ(device.toDevice.exposedCopies, 8);
    EXPECT_EQ(device.toDevice.exposedNs, 8 * (2 * kMs));
    EXPECT_EQ(device.toDevice.groups[static_cast<std::size_t>(CopyCause::PageableMemory)].bytes, 8 * (8 * kMiB));
    EXPECT_EQ(device.idleNs(), 8 * (3 * kMs));
    EXPECT_EQ(timeParts(judgement, device.figures).at(1).cause, judgement.verdict.mainLoss);
}

TEST(Judgement, WhatIsSpokenOfTogetherIsCountedTogether)
{
    Judgement judgement;
    DeviceSummary device;
    device.wallNs = 121;
    device.kernelBusyNs = 20;
    device.lostNs[static_cast<std::size_t>(LostCause::Sync)] = 5;
    device.lostNs[static_cast<std::size_t>(LostCause::Host)] = 3;
    device.lostNs[static_cast<std::size_t>(LostCause::HostBetween)] = 3;
    device.lostNs[static_cast<std::size_t>(LostCause::Ends)] = 90;
    std::string rows;
    for (const TimePart& part : timeParts(judgement, device))
        rows += fmt::format("{} {}; ", part.name(), part.timeNs);
    EXPECT_EQ(rows, "kernels 20; host late 6; explicit synchronization 5; start and end 90; ");
    const Table table = timeTable(judgement, device);
    test::expectText(table.rows[1].remark);
    EXPECT_EQ(table.rows[2].remark, "");
    judgement.kernelsKnown = false;
    EXPECT_THAT(timeParts(judgement, device), IsEmpty());
}

TEST(Judgement, AnswersForAChosenRange)
{
    const Trace trace = loop(8);
    const Analysis analysis(trace);
    const std::vector<Step> steps = findSteps(trace);
    JudgeRequest request;
    request.range = Interval{2 * kStepNs, 5 * kStepNs};
    const Judgement chosen = judge({trace, analysis, steps}, request);
    EXPECT_TRUE(chosen.selected);
    EXPECT_EQ(chosen.range, *request.range);
    EXPECT_EQ(chosen.steps, 3);
    EXPECT_EQ(chosen.verdict.copies, 3);
    EXPECT_FALSE(chosen.findings.findings.empty());

    request.depth = Depth::Verdict;
    const Judgement quick = judge({trace, analysis, steps}, request);
    EXPECT_EQ(quick.verdict.sentence, chosen.verdict.sentence);
    EXPECT_EQ(quick.stepNs, chosen.stepNs);
    EXPECT_THAT(quick.findings.findings, IsEmpty());
    EXPECT_THAT(quick.devices, IsEmpty());
}

TEST(Judgement, OfAGrowingTraceCountsWhatIsSettled)
{
    const Trace trace = loop(8);
    const Analysis analysis(trace);
    const std::vector<Step> steps = findSteps(trace);
    JudgeRequest request;
    request.live = true;
    const Judgement soFar = judge({trace, analysis, steps}, request);
    test::expectText(soFar.verdict.sentence);
    EXPECT_EQ(soFar.steps, 8);
    request.range = Interval{0, kStepNs};
    test::expectText(judge({trace, analysis, steps}, request).verdict.sentence);

    const Trace empty;
    const Analysis nothing(empty);
    request.range.reset();
    const Judgement none = judge({empty, nothing, {}}, request);
    test::expectText(none.verdict.sentence);
    EXPECT_TRUE(none.range.empty());
}

TEST(Judgement, SomeStepsOnlyWhereTheyAreAskedFor)
{
    TraceRequest request;
    request.steps = parsedStepNumbers("2-4");
    const auto trace = judged(loop(8), request);
    EXPECT_EQ(trace->judgement.range, (Interval{2 * kStepNs, 5 * kStepNs}));
    EXPECT_EQ(trace->judgement.steps, 3);
    EXPECT_EQ(trace->judgement.stepNs, kStepNs);
    request.steps = parsedStepNumbers("7-8");
    test::expectText(JudgedTrace::make(loop(8), "loop", request).error());
    request.iteration = "epoch";
    test::expectText(JudgedTrace::make(loop(8), "loop", request).error());
}

TEST(Judgement, IsCancelledByItsMeter)
{
    const Trace trace = loop(8);
    Progress cancelled;
    cancelled.cancel();
    const auto judgedTrace = attempt(
        "judge", &cancelled, [&](const WorkMeter& work) { return JudgedTrace::make(loop(8), "loop", {}, work); });
    EXPECT_TRUE(judgedTrace.isCancelled());
}

TEST(Judgement, TheHeadlineIsTheFirstSentence)
{
    Judgement judgement;
    judgement.verdict.sentence =
        "Compute-bound: kernels fill 91.2 % of the time. 3 of 4 copies hidden, see torch .to(), 16.1 ms. Left out: 2.";
    EXPECT_EQ(judgement.headline(), "Compute-bound: kernels fill 91.2 % of the time.");
    test::expectText(judgement.details());
    judgement.verdict.sentence = "The range is empty.";
    EXPECT_EQ(judgement.headline(), "The range is empty.");
    EXPECT_THAT(judgement.details(), IsEmpty());
    EXPECT_THAT(sentencesOf(""), IsEmpty());
    EXPECT_THAT(sentencesOf("a. b. C"), ElementsAre("a. b.", "C"));
}

}  // namespace
}  // namespace overlane
