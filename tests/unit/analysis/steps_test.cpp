#include "core/analysis/steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expect_text.h"
#include "tests/support/sample_traces.h"

namespace overlane
{
namespace
{

using test::SampleTrace;

std::vector<std::int64_t> numbers(const std::vector<Step>& steps)
{
    std::vector<std::int64_t> all;
    all.reserve(steps.size());
    for (const Step& step : steps)
        all.push_back(step.number);
    return all;
}

TEST(StepsTest, ATraceWithoutMarksHasNone)
{
    SampleTrace sample;
    sample.host(EventKind::Annotation, 0, 10, "step 1");  // does not repeat
    sample.host(EventKind::Annotation, 0, 10, "optimizer 1");
    sample.host(EventKind::Annotation, 10, 20, "optimizer 2");
    EXPECT_TRUE(findSteps(sample.build()).empty());
    EXPECT_EQ(stepTimeNs({}), 0);
}

TEST(StepsTest, ReadsNamesAndNumbersInOrderOfStart)
{
    SampleTrace sample;
    sample.host(EventKind::Step, 100, 200, "ProfilerStep#13");
    sample.host(EventKind::Step, 0, 100, "ProfilerStep#12");
    const std::vector<Step> steps = findSteps(sample.build());
    EXPECT_THAT(numbers(steps), testing::ElementsAre(12, 13));
    EXPECT_EQ(steps[0].name, "ProfilerStep#12");
    EXPECT_EQ(steps[1].interval, (Interval{100, 200}));
    EXPECT_EQ(stepTimeNs(steps), 100);
}

TEST(StepsTest, NamesWithoutANumberAreNumberedInOrder)
{
    SampleTrace sample;
    sample.host(EventKind::Step, 0, 10, "train");
    sample.host(EventKind::Step, 10, 20, "train");
    EXPECT_THAT(numbers(findSteps(sample.build())), testing::ElementsAre(0, 1));
}

TEST(StepsTest, TakesUserRangesThatRepeatWhereNothingElseMarksSteps)
{
    for (const std::string base : {"step ", "Iteration_", "train_step:", "iter#", "BATCH "}) {
        SampleTrace sample;
        for (std::int64_t i = 0; i < 3; ++i)
            sample.host(EventKind::Annotation, i * 10, i * 10 + 10, base + std::to_string(i + 7));
        EXPECT_THAT(numbers(findSteps(sample.build())), testing::ElementsAre(7, 8, 9)) << base;
    }
}

TEST(StepsTest, ProfilerStepsWinOverUserRangesAndTheHostOverTheDevice)
{
    SampleTrace sample;
    const TrackId stream = sample.stream(TrackKind::EngineCompute, 7);
    for (std::int64_t i = 0; i < 3; ++i) {
        sample.host(EventKind::Annotation, i * 10, i * 10 + 10, "step " + std::to_string(i));
        sample.add(stream, EventKind::Step, i * 10, i * 10 + 5, "ProfilerStep#" + std::to_string(i));
    }
    sample.host(EventKind::Step, 0, 30, "ProfilerStep#5");
    EXPECT_THAT(numbers(findSteps(sample.build())), testing::ElementsAre(5));
}

TEST(StepsTest, ANumberTooLongForAnIntegerIsNotANumber)
{
    SampleTrace sample;
    sample.host(EventKind::Step, 0, 10, "step 99999999999999999999999");
    EXPECT_THAT(numbers(findSteps(sample.build())), testing::ElementsAre(0));
}

TEST(StepsTest, WithinKeepsWholeSteps)
{
    const std::vector<Step> steps{{{0, 10}, "a", 0}, {{10, 20}, "b", 1}, {{20, 30}, "c", 2}};
    EXPECT_THAT(numbers(stepsWithin(steps, {5, 30})), testing::ElementsAre(1, 2));
    EXPECT_TRUE(stepsWithin(steps, {11, 19}).empty());
}

// Steps of the given times, one behind the other.
std::vector<Step> stepsOf(const std::vector<std::int64_t>& timesNs)
{
    std::vector<Step> steps;
    std::int64_t nowNs = 0;
    for (const std::int64_t timeNs : timesNs) {
        steps.push_back({{nowNs, nowNs + timeNs}, "step", static_cast<std::int64_t>(steps.size())});
        nowNs += timeNs;
    }
    return steps;
}

TEST(StepsTest, SlowFirstStepsAreWarmUpAndNotInTheStatistics)
{
    std::vector<Step> steps = stepsOf({900, 300, 100, 102, 98, 101, 99, 100, 250, 100});
    const StepStatistics of = markSteps(steps);
    EXPECT_EQ(of.steps, 10);
    EXPECT_EQ(of.warmUps, 2);
    EXPECT_TRUE(steps[0].warmUp && steps[1].warmUp && !steps[2].warmUp);
    EXPECT_EQ(of.outliers, 1);
    EXPECT_TRUE(steps[8].outlier);
    EXPECT_FALSE(steps[0].outlier);
    EXPECT_EQ(of.medianNs, 100);
    EXPECT_EQ(of.deviationNs, 1);
    EXPECT_EQ(of.lowerQuartileNs, 100);  // 99.75
    EXPECT_EQ(of.upperQuartileNs, 101);
    EXPECT_EQ(of.minNs, 98);
    EXPECT_EQ(of.maxNs, 250);
}

// Two workers hand over a batch each, one long and one short, once the batches made during the first step are used up.
TEST(StepsTest, StepsThatLiveOnBatchesMadeBeforeAreWarmUp)
{
    std::vector<Step> steps = stepsOf({700, 82,  54, 54,  55, 61,  49, 208, 51, 262, 72,  121, 50,  239, 70,  108,
                                       75,  107, 80, 107, 77, 154, 95, 111, 94, 87,  142, 104, 146, 52,  217, 86});
    EXPECT_EQ(markSteps(steps).warmUps, 7);
    // Fewer quick ones are as the others are.
    steps = stepsOf({700, 82, 54, 150, 55, 161, 49, 208, 51, 262, 72, 121, 50, 239, 70, 108});
    EXPECT_EQ(markSteps(steps).warmUps, 1);
}

TEST(StepsTest, AQuickStepBetweenMuchSlowerFirstOnesIsWarmUpToo)
{
    // Another shape is compiled later.
    std::vector<Step> steps = stepsOf({900, 101, 100, 700, 100, 102, 98, 101, 99, 100, 100, 100, 101, 99, 100, 100});
    EXPECT_EQ(markSteps(steps).warmUps, 4);
    EXPECT_EQ(markSteps(steps).meanNs, 100);
    std::vector<Step> later = stepsOf({900, 100, 100, 100, 100, 700, 100, 102, 98, 101, 99, 100, 100, 100, 101, 99});
    EXPECT_EQ(markSteps(later).warmUps, 1);
}

TEST(StepsTest, AFirstStepThatDoesNextToNothingMayComeBeforeTheSlowOne)
{
    std::vector<Step> steps = stepsOf({30, 900, 101, 100, 100, 102, 98, 101, 99, 100, 100, 100, 101, 99, 100, 100});
    EXPECT_EQ(markSteps(steps).warmUps, 2);
    std::vector<Step> half = stepsOf({51, 900, 101, 100, 100, 102, 98, 101, 99, 100, 100, 100, 101, 99, 100, 100});
    EXPECT_EQ(markSteps(half).warmUps, 2);
    std::vector<Step> ready = stepsOf({30, 31, 101, 100, 100, 102, 98, 101, 99, 100, 100, 100, 101, 99, 100, 100});
    EXPECT_EQ(markSteps(ready).warmUps, 0);  // batches that were there already
}

TEST(StepsTest, QuickStepsBehindSlowOnesUseUpWhatWasReadyAndAreWarmUp)
{
    // A full queue, while the first step compiles.
    std::vector<Step> steps =
        stepsOf({900, 20, 30, 31, 30, 100, 102, 98, 101, 99, 100, 100, 100, 101, 99, 100, 101, 99, 100, 100});
    EXPECT_EQ(markSteps(steps).warmUps, 5);
    EXPECT_EQ(markSteps(steps).meanNs, 100);
    // What the device has to do behind the last is of the quick ones.
    const std::int64_t startNs = steps[5].interval.startNs;
    EXPECT_EQ(averageStepNs(steps, {startNs, steps.back().interval.endNs + 60}), 100);
    std::vector<Step> one = stepsOf({900, 20, 101, 100, 100, 102, 98, 101, 99, 100, 100, 100, 101, 99, 100, 100});
    EXPECT_EQ(markSteps(one).warmUps, 1);
}

TEST(StepsTest, EverythingPerStepIsOfTheAverageStep)
{
    EXPECT_EQ(perStepNs(500, {0, 1000}, 90), 45);  // ten steps of 90 with a pause
    EXPECT_EQ(perStepNs(500, {0, 0}, 90), 0);
    EXPECT_EQ(perStepNs(500, {0, 1000}, 0), 0);
}

TEST(StepsTest, TheAverageLeavesOutWarmUpAndHoldsWhatTheDeviceStillHasToDo)
{
    std::vector<Step> steps = stepsOf({900, 100, 110, 90, 100});
    markSteps(steps);
    EXPECT_EQ(averageStepNs(steps, {0, 1300}), 100);
    EXPECT_EQ(averageStepNs(steps, {900, 1340}), 110);  // four steps, and 40 ns behind the last
    EXPECT_EQ(averageStepNs(steps, {1000, 1250}), 100);
    EXPECT_EQ(averageStepNs(steps, {0, 900}), 900);  // nothing but warm-up
    EXPECT_EQ(averageStepNs(steps, {910, 950}), 0);
}

TEST(StepsTest, APauseOfManyStepsBehindAMarkIsNoStepsTime)
{
    std::vector<Step> steps{{{0, 90}, "step", 0},      {{100, 190}, "step", 1},   {{200, 290}, "step", 2},
                            {{2000, 2090}, "step", 3}, {{2100, 2190}, "step", 4}, {{2200, 2290}, "step", 5}};
    EXPECT_EQ(markSteps(steps).maxNs, 100);
    EXPECT_EQ(steps[2].timeNs, 100);
}

TEST(StepsTest, AValidationWithinAMarkIsNoStepsTime)
{
    SampleTrace sample;
    std::uint32_t id = 0;
    std::int64_t nowNs = 0;
    const auto launch = [&](int kernels) {
        for (int kernel = 0; kernel < kernels; ++kernel, nowNs += 10) {
            sample.host(EventKind::RuntimeCall, nowNs, nowNs + 5, "cudaLaunchKernel", ++id);
            sample.kernel(nowNs + 5, nowNs + 10, 7, id);
        }
    };
    for (int step = 0; step < 12; ++step) {
        const std::int64_t startNs = nowNs;
        launch(10);
        if (step % 4 == 3 && step < 11)
            launch(200);  // to validate
        if (step == 5)
            nowNs += 2'000;  // the host waits
        sample.host(EventKind::Step, startNs, nowNs, "step " + std::to_string(step));
    }
    const StepSequence found = detectSteps(sample.build());
    EXPECT_EQ(found.steps[3].timeNs, 95);  // to the end of its last call
    EXPECT_EQ(found.steps[7].timeNs, 95);
    EXPECT_EQ(found.steps[5].timeNs, 2'100);
}

TEST(StepsTest, NamesThatLibrariesGiveToIterationsMarkThem)
{
    for (const std::string name :
         {"step", "execute_model", "step[DECODE bs=8]", "[pl][profile]run_training_batch",
          "[Strategy]SingleDeviceStrategy.training_step", "Trainer.training_step", "train_batch", "iteration"}) {
        SampleTrace sample;
        for (std::int64_t i = 0; i < 5; ++i) {
            sample.host(EventKind::Annotation, i * 100, i * 100 + 90, name);
            sample.host(EventKind::Annotation, i * 100 + 50, i * 100 + 80, "Optimizer.step#AdamW.step");
            sample.host(EventKind::Annotation, i * 100 + 10, i * 100 + 40, "forward");
        }
        const StepSequence found = detectSteps(sample.build());
        EXPECT_EQ(found.origin, StepOrigin::Ranges) << name;
        EXPECT_EQ(found.steps.size(), 5u) << name;
        EXPECT_EQ(found.statistics.meanNs, 100) << name;
    }
    SampleTrace parts;
    for (std::int64_t i = 0; i < 5; ++i)
        for (const std::string name : {"Optimizer.step#AdamW.step", "lr_scheduler.step", "backward"})
            parts.host(EventKind::Annotation, i * 100, i * 100 + 50, name);
    EXPECT_EQ(detectSteps(parts.build()).origin, StepOrigin::None);
}

TEST(StepsTest, TheRangeAroundOthersIsTheStep)
{
    SampleTrace sample;
    for (std::int64_t i = 0; i < 20; ++i) {
        if (i % 4 == 0)
            sample.host(EventKind::Annotation, i * 100, i * 100 + 390, "step");
        sample.host(EventKind::Annotation, i * 100 + 5, i * 100 + 90, "batch " + std::to_string(i));
    }
    const Trace trace = sample.build();
    EXPECT_EQ(detectSteps(trace).steps.size(), 5u);
    const std::vector<IterationLevel> levels = iterationLevels(trace);
    ASSERT_EQ(levels.size(), 2u);
    EXPECT_TRUE(levels[0].isTaken);
    EXPECT_EQ(levels[1].name, "batch");
    EXPECT_FALSE(levels[1].isTaken);
    // By place, name and count.
    for (const char* wish : {"2", "BATCH", "20"})
        EXPECT_EQ(stepsOfLevel(trace, wish).value().steps.size(), 20u) << wish;
    EXPECT_EQ(stepsOfLevel(trace, "1").value().steps.size(), 5u);
    const Result<StepSequence> none = stepsOfLevel(trace, "epoch");
    ASSERT_FALSE(none.ok());
    test::expectText(none.error());
}

TEST(StepsTest, ASlowStepInTheMiddleIsNoWarmUpAndEvenStepsHaveNoOutlier)
{
    std::vector<Step> slowLater = stepsOf({100, 900, 100, 100, 100, 100, 100, 100});
    EXPECT_EQ(markSteps(slowLater).warmUps, 0);
    EXPECT_TRUE(slowLater[1].outlier);
    std::vector<Step> even = stepsOf({100, 104, 98, 107, 95, 100});
    EXPECT_EQ(markSteps(even).outliers, 0);  // within a tenth, however little the others vary
    std::vector<Step> few = stepsOf({500, 100, 100});
    EXPECT_EQ(markSteps(few).warmUps, 0);
    std::vector<Step> none;
    EXPECT_EQ(markSteps(none).steps, 0);
}

TEST(StepsTest, AStepsTimeReachesToTheNextStepWhereMarksLeaveSomethingOut)
{
    std::vector<Step> steps{{{0, 60}, "step 0", 0}, {{100, 160}, "step 1", 1}, {{200, 260}, "step 2", 2}};
    markSteps(steps);
    EXPECT_EQ(steps[0].timeNs, 100);
    EXPECT_EQ(steps[2].timeNs, 100);  // its own length and the usual pause
}

TEST(StepsTest, StepsWithinEachOtherHaveNoNegativeTime)
{
    SampleTrace nested;
    nested.host(EventKind::Step, 0, 4'000, "ProfilerStep#1");
    nested.host(EventKind::Step, 100, 200, "ProfilerStep#2");
    const StepSequence two = detectSteps(nested.build());
    EXPECT_EQ(two.steps[0].timeNs, 100);
    EXPECT_EQ(two.steps[1].timeNs, 100);  // as the others
    EXPECT_EQ(two.statistics.medianNs, 100);
    EXPECT_EQ(two.statistics.minNs, 100);

    // Of a loader, whose steps overlap, the last takes what is behind the usual overlap.
    SampleTrace overlapping;
    for (std::int64_t step = 0; step < 4; ++step)
        overlapping.host(EventKind::Step, step * 100, step * 100 + 150, "ProfilerStep#" + std::to_string(step));
    EXPECT_EQ(detectSteps(overlapping.build()).steps[3].timeNs, 100);
}

TEST(StepsTest, MarkedStepsSayWhereTheyComeFrom)
{
    SampleTrace sample;
    for (std::int64_t i = 0; i < 3; ++i)
        sample.host(EventKind::Annotation, i * 10, i * 10 + 10, "step " + std::to_string(i));
    const StepSequence ranges = detectSteps(sample.build());
    EXPECT_EQ(ranges.origin, StepOrigin::Ranges);
    EXPECT_EQ(ranges.confidence, 1);
    EXPECT_EQ(detectSteps(test::serialTrace()).origin, StepOrigin::Profiler);
    EXPECT_EQ(detectSteps(SampleTrace().build()).origin, StepOrigin::None);
}

}  // namespace
}  // namespace overlane
