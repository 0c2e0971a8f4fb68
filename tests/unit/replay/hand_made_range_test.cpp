// How sure a prediction of a small program is: its range, the steps that are left out, the direction that it claims.
#include <cmath>
#include <gtest/gtest.h>

#include "core/replay/replay.h"
#include "tests/support/built_replay.h"
#include "tests/support/expect_text.h"
#include "tests/support/times.h"
#include "tests/unit/replay/hand_made_programs.h"

namespace overlane
{
namespace
{

using test::adderTo;
using test::changes;
using test::gatheringTrace;
using test::SampleTrace;
using test::traceOf;
using test::Waits;

// The range reaches down to what the program takes without a recorder.
TEST(Replay, TheRangeKnowsWhatRecordingAddsToLaunches)
{
    const Result<Replay> replay = test::builtReplay(gatheringTrace(Waits::Silently));
    ASSERT_TRUE(replay.ok()) << replay.error();
    const Result<Prediction> side = replay.value().predict(changes({"side_stream"}));
    ASSERT_TRUE(side.ok()) << side.error();
    test::expectText(side.value().rangeOrigins);
}

// Made before the kernels are issued, the next batch keeps the GPU waiting for 300 us; behind them it does not.
TEST(Replay, TheRangeOfASideStreamHoldsBothPlacesForTheNextBatch)
{
    const Result<Replay> replay = test::builtReplay(gatheringTrace());
    ASSERT_TRUE(replay.ok()) << replay.error();
    const Result<Prediction> side = replay.value().predict(changes({"side_stream=2"}));
    ASSERT_TRUE(side.ok()) << side.error();
    EXPECT_GT(side.value().stepNsPredicted, 780 * kUs);
    EXPECT_LT(side.value().lowNs, 700 * kUs);
    test::expectText(side.value().rangeOrigins);
}

// Steps of 1000 us: a copy from pageable memory holds the host for 800, which then works for 100 us and launches a
// kernel. The first step copies for less, and the host loads code instead; `rareStep` stalls for 6 ms.
std::shared_ptr<const Trace> unevenTrace(int rareStep = -1)
{
    SampleTrace sample;
    const TrackId steps = sample.builder().addTrack(sample.process(), TrackKind::Annotations, "steps");
    const TrackId copies = sample.stream(TrackKind::EngineH2D, 7);
    const TrackId kernels = sample.stream(TrackKind::EngineCompute, 7);
    const auto add = adderTo(sample);
    std::int64_t at = 0;
    for (int step = 0; step < 12; ++step) {
        const std::int64_t heldUs = step == 0 ? 300 : 800, pauseUs = step == rareStep ? 6000 : 900 - heldUs;
        const auto first = static_cast<std::uint32_t>(step * 10 + 1);
        const std::int64_t endUs = at + heldUs + pauseUs + 100;
        add(steps, EventKind::Step, at, endUs, ("step " + std::to_string(step)).c_str(), 0);
        add(sample.thread(), EventKind::RuntimeCall, at, at + heldUs, "cudaMemcpyAsync", first);
        add(copies, EventKind::CopyH2D, at + 100, at + heldUs, "copy", first,
            CopyInfo{1'000'000, MemoryKind::Pageable, MemoryKind::Device, AsyncFlag::Async});
        add(sample.thread(), EventKind::RuntimeCall, endUs - 100, endUs - 90, "cudaLaunchKernel", first + 1);
        add(kernels, EventKind::Kernel, endUs - 85, endUs - 65, "kernel", first + 1);
        at = endUs;
    }
    return std::make_shared<const Trace>(sample.builder().build(false));
}

// It took as long as any step while a copy held the host in the others, and would not once that goes.
TEST(Replay, FirstUseThatWaitsHaveHiddenIsLeftOut)
{
    ReplayOptions options;
    options.device = findDeviceProfile("h200");
    const Result<Replay> replay = test::builtReplay(unevenTrace(), options);
    ASSERT_TRUE(replay.ok()) << replay.error();
    EXPECT_EQ(replay.value().report().firstStep, 1);
    test::expectText(replay.value().report().leftOut);
    options.firstStep = 0;
    EXPECT_EQ(test::builtReplay(unevenTrace(), options).value().report().firstStep, 0);
}

TEST(Replay, TheRangeReachesToARunWithoutItsRareSteps)
{
    ReplayOptions options;
    options.device = findDeviceProfile("h200");
    const auto pinned = [&](int rareStep) {
        return test::builtReplay(unevenTrace(rareStep), options).value().predict(changes({"pin"})).value();
    };
    const Prediction even = pinned(-1), rare = pinned(6);
    EXPECT_GT(rare.stepNsPredicted, 2 * even.stepNsPredicted);
    EXPECT_LT(rare.lowNs, even.stepNsPredicted + even.stepNsPredicted / 4);
    test::expectText(rare.rangeOrigins);
    test::expectText(even.rangeOrigins);
}

// All steps take the same and the replay is exact: what is left is that a process differs from another, by 3 %
// where no loader works on memory, before and after the change.
TEST(Replay, ADirectionIsClaimedBeyondWhatTwoProcessesDifferBy)
{
    ReplayOptions options;
    options.device = findDeviceProfile("h200");
    const Result<Replay> replay = test::builtReplay(traceOf({}), options);
    const Result<Prediction> pinned = replay.value().predict(changes({"pin"}));
    EXPECT_EQ(pinned.value().direction(), Direction::Faster);
    EXPECT_EQ(pinned.value().noise.largest, Noise::Origin::Processes);
    const auto afterUs = static_cast<double>(pinned.value().stepNsPredicted) / kUs;
    EXPECT_NEAR(static_cast<double>(pinned.value().noise.ns) / kUs, 0.03 * std::hypot(1000, afterUs), 3);
    // A link that makes the copies 2 % of the step slower is within it.
    const Result<Prediction> slower = replay.value().predict(changes({"pin", "link=45"}));
    const Result<Prediction> faster = replay.value().predict(changes({"pin", "link=47"}));
    EXPECT_NE(slower.value().stepNsPredicted, faster.value().stepNsPredicted);
    EXPECT_EQ(slower.value().noise.direction(slower.value().stepNsPredicted, faster.value().stepNsPredicted),
              Direction::Unclear);
    EXPECT_EQ(replay.value().predict({}).value().direction(), Direction::Unclear);
}

}  // namespace
}  // namespace overlane
