#include "core/compare/speed.h"

#include <gtest/gtest.h>

#include "core/compare/comparison.h"
#include "core/trace/trace_origin.h"
#include "tests/support/expect_text.h"
#include "tests/unit/compare/training_trace.h"

namespace overlane
{
namespace
{

using test::around;
using test::TrainingRun;
using test::trainingTrace;

TraceMetadata metadata(const std::string& format, const std::string& scenario = {})
{
    TraceMetadata made;
    made.format = format;
    made.scenarioJson = scenario;
    return made;
}

Speed speed(const TrainingRun& runA, const TrainingRun& runB)
{
    const Trace a = trainingTrace(runA);
    const Trace b = trainingTrace(runB);
    const Analysis analysisA(a);
    const Analysis analysisB(b);
    const StepSequence stepsA = detectSteps(a);
    const StepSequence stepsB = detectSteps(b);
    return speedOf({&a, &analysisA, &stepsA}, {&b, &analysisB, &stepsB});
}

// Runs whose copies take `ns` and a little, described by `metadata`.
TrainingRun run(std::int64_t ns, std::size_t steps, const TraceMetadata& metadata, std::int64_t stepNs = 1'000)
{
    TrainingRun made;
    made.copyNs = around(ns, steps, stepNs);
    made.metadata = metadata;
    return made;
}

Pace pace(std::int64_t aNs, std::int64_t bNs, std::size_t steps, const TraceMetadata& a, const TraceMetadata& b)
{
    return speed(run(aNs, steps, a), run(bNs, steps, b)).pace;
}

const TraceMetadata kRecorded = metadata("recorded");
const TraceMetadata kSimulated = metadata("simulated", R"({"seed": 1, "workers": 4})");

TEST(SpeedTest, ALittleIsNoDifferenceOfSimulatedRuns)
{
    EXPECT_EQ(simulatedSpeed(10'000, 10'100).pace, Pace::AboutTheSame);
    EXPECT_EQ(simulatedSpeed(10'000, 10'102).pace, Pace::Slower);
    EXPECT_EQ(simulatedSpeed(10'100, 10'000).pace, Pace::AboutTheSame);
    EXPECT_EQ(simulatedSpeed(10'102, 10'000).pace, Pace::Faster);
    EXPECT_EQ(simulatedSpeed(0, 10'000).pace, Pace::NotSure);
}

TEST(SpeedTest, RecordingsClaimWhatTheirStepsClaim)
{
    EXPECT_EQ(pace(400'000, 300'000, 5, kRecorded, kRecorded), Pace::Faster);
    EXPECT_EQ(pace(300'000, 400'000, 5, kRecorded, kRecorded), Pace::Slower);
    EXPECT_EQ(pace(400'000, 300'000, 4, kRecorded, kRecorded), Pace::NotSure) << "too few steps";
    // A tenth apart, in a spread of a third.
    EXPECT_EQ(speed(run(400'000, 8, kRecorded, 40'000), run(360'000, 8, kRecorded, 40'000)).pace, Pace::NotSure);
    EXPECT_EQ(speed(run(400'000, 8, kRecorded), run(400'000, 8, kRecorded)).pace, Pace::NotSure)
        << "no difference is no proof that there is none";
}

TEST(SpeedTest, UnevenStepsAreNotSure)
{
    TrainingRun stalling = run(300'000, 20, kRecorded);
    for (std::size_t step = 0; step < stalling.copyNs.size(); step += 4)
        stalling.copyNs[step] *= 60;
    EXPECT_EQ(speed(run(400'000, 20, kRecorded), stalling).pace, Pace::NotSure);
}

TEST(SpeedTest, SimulatedRunsOfOneSeedCountAsTheyAre)
{
    const Speed few = speed(run(400'000, 4, kSimulated, 200'000), run(360'000, 4, kSimulated, 200'000));
    EXPECT_EQ(few.pace, Pace::Faster) << "four steps, apart by less than their spread";
    EXPECT_EQ(few.by, ClaimBy::Means);
    EXPECT_EQ(few.aNs - few.bNs, 40'000) << "means of a step";
    EXPECT_EQ(pace(400'000, 396'000, 4, kSimulated, kSimulated), Pace::AboutTheSame);
}

TEST(SpeedTest, AnythingElseNeedsTheStepsOrClaimsNothing)
{
    const TraceMetadata otherSeed = metadata("simulated", R"({"seed": 2, "workers": 4})");
    TraceMetadata spread = kSimulated;
    spread.properties[kThreadSpread] = "0.06";
    for (const TraceMetadata& other : {otherSeed, spread, metadata("simulated"), metadata("simulated", "[")}) {
        EXPECT_EQ(pace(400'000, 300'000, 4, kSimulated, other), Pace::NotSure) << other.scenarioJson;
        EXPECT_EQ(pace(400'000, 300'000, 5, kSimulated, other), Pace::Faster) << other.scenarioJson;
    }
    EXPECT_EQ(pace(400'000, 300'000, 4, metadata("simulated"), metadata("simulated")), Pace::NotSure);
    // The settings of a run on a GPU have a seed, too.
    for (const TraceMetadata& other : {kRecorded, metadata("measured", kSimulated.scenarioJson)}) {
        EXPECT_EQ(pace(400'000, 100'000, 20, kSimulated, other), Pace::NotSure) << other.format;
        EXPECT_EQ(pace(400'000, 100'000, 20, other, kSimulated), Pace::NotSure) << other.format;
    }
}

TEST(SpeedTest, TracesThatCannotBeAlignedAreNotSure)
{
    TrainingRun none = run(400'000, 8, kRecorded);
    none.copyNs.clear();
    EXPECT_EQ(speed(none, run(400'000, 8, kRecorded)).pace, Pace::NotSure);
}

TEST(SpeedTest, Words)
{
    test::expectText(speedText(simulatedSpeed(14'300, 5'700)));
    test::expectText(speedText(simulatedSpeed(5'700, 14'300), "A"));
    EXPECT_EQ(speedText(simulatedSpeed(100, 97)), "3.00\u2009% faster");
    test::expectText(speedText(simulatedSpeed(1'000, 999), "A"));
    test::expectText(speedText({100, 97, Pace::NotSure, ClaimBy::Steps}, "A"));
    EXPECT_EQ(speedText({100, 50, Pace::NotSure, ClaimBy::Nothing}), "");
}

}  // namespace
}  // namespace overlane
