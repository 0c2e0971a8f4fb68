// Predictions of programs small enough that every time can be done in the head.
#include <algorithm>
#include <array>
#include <gmock/gmock.h>
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
using test::Program;
using test::SampleTrace;
using test::traceOf;

// Steps of 1000 us on two streams in turn: pageable copies in (400) and back (200) around a kernel (200), which hold
// the host, and 100 us behind them a wait that returns at once.
std::shared_ptr<const Trace> twoStreamsInTurn()
{
    SampleTrace sample;
    const TrackId steps = sample.builder().addTrack(sample.process(), TrackKind::Annotations, "steps");
    const auto add = adderTo(sample);
    std::array<TrackId, 2> in, kernels, back;
    for (std::size_t turn = 0; turn < 2; ++turn) {
        const auto stream = static_cast<std::int64_t>(7 + turn);
        in[turn] = sample.stream(TrackKind::EngineH2D, stream);
        kernels[turn] = sample.stream(TrackKind::EngineCompute, stream);
        back[turn] = sample.stream(TrackKind::EngineD2H, stream);
    }
    for (int step = 0; step < 12; ++step) {
        const std::int64_t at = std::int64_t{1000} * step;
        const auto first = static_cast<std::uint32_t>(step * 10 + 1);
        const std::size_t turn = step % 2;
        add(steps, EventKind::Step, at, at + 1000, ("step " + std::to_string(step)).c_str(), 0);
        add(sample.thread(), EventKind::RuntimeCall, at, at + 400, "cudaMemcpyAsync", first);
        add(in[turn], EventKind::CopyH2D, at + 10, at + 400, "copy", first,
            CopyInfo{10'000'000, MemoryKind::Pageable, MemoryKind::Device, AsyncFlag::Async});
        add(sample.thread(), EventKind::RuntimeCall, at + 405, at + 415, "cudaLaunchKernel", first + 1);
        add(kernels[turn], EventKind::Kernel, at + 410, at + 610, "kernel", first + 1);
        add(sample.thread(), EventKind::RuntimeCall, at + 420, at + 815, "cudaMemcpyAsync", first + 2);
        add(back[turn], EventKind::CopyD2H, at + 612, at + 812, "copy", first + 2,
            CopyInfo{10'000'000, MemoryKind::Device, MemoryKind::Pageable, AsyncFlag::Async});
        add(sample.thread(), EventKind::RuntimeCall, at + 915, at + 917, "cudaStreamSynchronize", first + 3);
    }
    return std::make_shared<const Trace>(sample.builder().build(false));
}

// What the wait is for does not show while copies are pageable; pinned, the host goes on while the other stream works.
TEST(Replay, AWaitBetweenStreamsInTurnIsForTheOneWhoseTurnComes)
{
    const Result<Replay> replay = test::builtReplay(twoStreamsInTurn());
    ASSERT_TRUE(replay.ok()) << replay.error();
    const Result<Prediction> pinned = replay.value().predict(changes({"pin", "link=55"}));
    ASSERT_TRUE(pinned.ok()) << pinned.error();
    EXPECT_EQ(pinned.value().stepNsReplayed, 1000 * kUs);
    EXPECT_LT(pinned.value().stepNsPredicted, 400 * kUs);
}

TEST(Replay, WithoutChangeTakesTheMeasuredTime)
{
    const Result<Replay> replay = test::builtReplay(traceOf({}));
    ASSERT_TRUE(replay.ok()) << replay.error();
    EXPECT_EQ(replay.value().report().stepNsMeasured, 1000 * kUs);
    EXPECT_EQ(replay.value().report().stepNsReplayed, 1000 * kUs);
    EXPECT_TRUE(replay.value().report().trusted());
    EXPECT_EQ(replay.value().report().hostThreads, 1);
}

// A thread of a pool that makes its first call in the fourth step was not busy for the three before the trace began.
TEST(Replay, AThreadIsBusyForNoLongerThanTheStepsTake)
{
    SampleTrace sample;
    const TrackId steps = sample.builder().addTrack(sample.process(), TrackKind::Annotations, "steps");
    const TrackId pool = sample.builder().addTrack(sample.process(), TrackKind::Thread, "pool");
    const TrackId kernels = sample.stream(TrackKind::EngineCompute, 7);
    const auto add = adderTo(sample);
    for (int step = 0; step < 8; ++step) {
        const std::int64_t at = 1'000'000 + std::int64_t{1000} * step;
        const auto first = static_cast<std::uint32_t>(step * 10 + 1);
        add(steps, EventKind::Step, at, at + 1000, ("step " + std::to_string(step)).c_str(), 0);
        add(sample.thread(), EventKind::RuntimeCall, at + 10, at + 20, "cudaLaunchKernel", first);
        add(kernels, EventKind::Kernel, at + 25, at + 425, "kernel", first);
        if (step % 4 != 3)
            continue;
        add(pool, EventKind::RuntimeCall, at + 15, at + 25, "cudaLaunchKernel", first + 1);
        add(kernels, EventKind::Kernel, at + 425, at + 430, "kernel", first + 1);
    }
    add(pool, EventKind::RuntimeCall, 0, 10, "cudaLaunchKernel", 999);
    add(kernels, EventKind::Kernel, 20, 30, "kernel", 999);
    const Result<Replay> replay = test::builtReplay(std::make_shared<const Trace>(sample.builder().build(false)));
    ASSERT_TRUE(replay.ok()) << replay.error();
    const Result<Prediction> same = replay.value().predict({});
    ASSERT_TRUE(same.ok()) << same.error();
    EXPECT_LE(same.value().busyNs[static_cast<std::size_t>(Bottleneck::Host)], same.value().stepNsPredicted);
}

TEST(Replay, PinningNeedsARateFromSomewhere)
{
    const Result<Replay> replay = test::builtReplay(traceOf({}));
    const Result<Prediction> prediction = replay.value().predict(changes({"pin"}));
    ASSERT_FALSE(prediction.ok());
    EXPECT_THAT(prediction.error(), testing::HasSubstr("link=GB/S"));
    test::expectText(prediction.error());
    // What nobody can try is no proof that nothing helps.
    EXPECT_THAT(replay.value().report().missing, testing::ElementsAre(prediction.error()));
    ReplayOptions options;
    options.device = findDeviceProfile("h200");
    EXPECT_THAT(test::builtReplay(traceOf({}), options).value().report().missing, testing::IsEmpty());
}

TEST(Replay, TheLinksRateIsARateToPinWith)
{
    const Result<Replay> replay = test::builtReplay(traceOf({}));
    const Result<Prediction> prediction = replay.value().predict(changes({"pin", "link=25"}));
    ASSERT_TRUE(prediction.ok()) << prediction.error();
    // As with the rate of a profile below: 10 MB at 25 GB/s take 400 us, and 2.5 us.
    EXPECT_NEAR(prediction.value().stepNsPredicted, (402.5 + 5 + 400 + 5 + 0.35 * 80) * kUs, 20 * kUs);
    test::expectText(prediction.value().notes);
}

TEST(Replay, AMachineIsSuggestedByTheNameOfItsGpu)
{
    const auto hintFor = [](const char* gpu) {
        return test::builtReplay(traceOf({.gpu = gpu})).value().predict(changes({"pin"})).error();
    };
    test::expectText(hintFor("NVIDIA H100 80GB HBM3"));
    test::expectText(hintFor("NVIDIA A30"));
    test::expectText(hintFor("NVIDIA L4"));
    test::expectText(hintFor("Tesla V100-SXM2-32GB"));
}

// One step is none to compare with others, but a range that somebody names is replayed as a whole.
TEST(Replay, WithoutIterationsTheRangeIsReplayedAsAWhole)
{
    Program program;
    program.steps = 1;
    ReplayOptions options;
    options.device = findDeviceProfile("h200");
    options.range = Interval{0, 915 * kUs};
    const Result<Replay> replay = test::builtReplay(traceOf(program), options);
    ASSERT_TRUE(replay.ok()) << replay.error();
    EXPECT_TRUE(replay.value().report().wholeRange);
    EXPECT_EQ(replay.value().report().stepNsMeasured, 915 * kUs);
    EXPECT_EQ(replay.value().report().stepNsReplayed, 915 * kUs);
    const Result<Prediction> pinned = replay.value().predict(changes({"pin"}), WithTrace::Yes);
    ASSERT_TRUE(pinned.ok()) << pinned.error();
    EXPECT_TRUE(pinned.value().ofRange);
    // As with steps, but to the end of the GPU's work.
    EXPECT_NEAR(pinned.value().stepNsPredicted, (197.5 + 5 + 400) * kUs, 20 * kUs);
    // Where there are iterations, they are replayed.
    program.steps = 6;
    EXPECT_FALSE(test::builtReplay(traceOf(program), options).value().report().wholeRange);
}

TEST(Replay, PinnedCopyLetsTheHostGoOn)
{
    ReplayOptions options;
    options.device = findDeviceProfile("h200");
    const Result<Replay> replay = test::builtReplay(traceOf({}), options);
    const Result<Prediction> prediction = replay.value().predict(changes({"pin"}), WithTrace::Yes);
    ASSERT_TRUE(prediction.ok()) << prediction.error();
    // The call costs 10 us as a launch does, the copy starts 15 us after it as kernels do and ends at 197.5 us
    // (10 MB at 55.56 GB/s, and 2.5 us). The launch comes at 110 us, so the kernel follows the copy 5 us later, on
    // another engine, takes 400 us, and the wait returns 5 us after it. 80 us of host work end the step; three calls
    // behind a copy that leaves nothing in the caches, they take 0.35 of that once it is pinned.
    EXPECT_NEAR(prediction.value().stepNsPredicted, (197.5 + 5 + 400 + 5 + 0.35 * 80) * kUs, 2 * kUs);
    EXPECT_LT(prediction.value().lowNs, prediction.value().stepNsPredicted);
    EXPECT_GT(prediction.value().highNs, prediction.value().stepNsPredicted);
    const Trace& predicted = *prediction.value().trace;
    std::size_t pinned = 0;
    for (std::uint32_t at = 0; at < predicted.eventCount(); ++at)
        if (const CopyInfo* copy = predicted.copy(EventIndex(at)))
            pinned += copy->source == MemoryKind::Pinned;
    EXPECT_EQ(pinned, 6U);
    EXPECT_EQ(predicted.eventCount(), traceOf({})->eventCount());
}

// A copy that fits into a core's cache beside the rest changes nothing for the calls behind it.
TEST(Replay, OnlyCopiesThatEmptyTheHostsCachesMakeItIssueWorkSlower)
{
    ReplayOptions options;
    options.device = findDeviceProfile("h200");
    for (const auto& [bytes, share] : {std::pair{40'000'000, 0.35}, std::pair{2'000'000, 1.0}}) {
        const Result<Replay> replay = test::builtReplay(traceOf({.bytes = bytes}), options);
        const Result<Prediction> prediction = replay.value().predict(changes({"pin"}));
        ASSERT_TRUE(prediction.ok()) << prediction.error();
        const double copyUs = bytes == 40'000'000 ? 737.5 : 110 - 15 + 10;  // at least until the launch has come
        EXPECT_NEAR(static_cast<double>(prediction.value().stepNsPredicted) / kUs, copyUs + 5 + 400 + 5 + share * 80,
                    25)
            << bytes;
        test::expectText(prediction.value().notes);
    }
}

TEST(Replay, ACopyInItsOwnStreamHidesUnderTheKernelBefore)
{
    Program program;
    program.source = MemoryKind::Pinned;
    program.syncs = false;
    ReplayOptions options;
    options.device = findDeviceProfile("h200");
    // Without waits only the copy's call holds the host: 1000 us a step.
    const Result<Replay> replay = test::builtReplay(traceOf(program), options);
    ASSERT_TRUE(replay.ok()) << replay.error();
    const Result<Prediction> both = replay.value().predict(changes({"side_stream"}));
    ASSERT_TRUE(both.ok()) << both.error();
    EXPECT_EQ(both.value().busyNs[static_cast<std::size_t>(Bottleneck::Compute)], 400 * kUs);
    EXPECT_EQ(both.value().busyNs[static_cast<std::size_t>(Bottleneck::H2D)], 300 * kUs);
}

TEST(Replay, DroppedSyncsLeaveTheHostFree)
{
    ReplayOptions options;
    options.device = findDeviceProfile("h200");
    const Result<Replay> replay = test::builtReplay(traceOf({}), options);
    const Result<Prediction> prediction = replay.value().predict(changes({"drop_syncs"}));
    ASSERT_TRUE(prediction.ok()) << prediction.error();
    // The staged copy waits for the kernel before it on their stream: no host time is left to win but the
    // return of the wait and what lay behind it.
    EXPECT_LT(prediction.value().stepNsPredicted, 1000 * kUs);
    EXPECT_GE(prediction.value().stepNsPredicted, 700 * kUs);
}

TEST(Replay, AChangeThatHasNothingToChangeSaysSo)
{
    Program program;
    program.source = MemoryKind::Pinned;
    const Result<Replay> replay = test::builtReplay(traceOf(program));
    const Result<Prediction> prediction = replay.value().predict(changes({"pin"}));
    ASSERT_TRUE(prediction.ok());
    EXPECT_EQ(prediction.value().stepNsPredicted, prediction.value().stepNsReplayed);
    test::expectText(prediction.value().notes);
}

TEST(Replay, SaysWhyATraceCannotBeReplayed)
{
    const auto empty = std::make_shared<const Trace>(TraceBuilder().build());
    test::expectText(test::builtReplay(empty).error());
    Program one;
    one.steps = 1;
    test::expectText(test::builtReplay(traceOf(one)).error());
    ReplayOptions options;
    options.firstStep = 99;
    test::expectText(test::builtReplay(traceOf({}), options).error());
    Progress cancelled;
    cancelled.cancel();
    EXPECT_TRUE(test::builtReplay(traceOf({}), {}, &cancelled).isCancelled());
}

TEST(Replay, ThePredictedTimelineHasTheMeasuredTracksThatItFills)
{
    ReplayOptions options;
    options.device = findDeviceProfile("h200");
    const std::shared_ptr<const Trace> measured = traceOf({});
    const Result<Replay> replay = test::builtReplay(measured, options);
    const Result<Prediction> same = replay.value().predict({}, WithTrace::Yes);
    ASSERT_TRUE(same.ok());
    const Trace& predicted = *same.value().trace;
    ASSERT_EQ(predicted.tracks().size(), measured->tracks().size());
    ASSERT_EQ(predicted.eventCount(), measured->eventCount());
    for (std::uint32_t at = 0; at < predicted.eventCount(); ++at) {
        EXPECT_EQ(predicted.interval(EventIndex(at)), measured->interval(EventIndex(at))) << at;
        EXPECT_EQ(predicted.name(EventIndex(at)), measured->name(EventIndex(at)));
        EXPECT_EQ(predicted.link(EventIndex(at)), measured->link(EventIndex(at)));
    }
    const Result<Prediction> side = replay.value().predict(changes({"side_stream"}), WithTrace::Yes);
    const auto tracks = side.value().trace->tracks();
    EXPECT_TRUE(std::any_of(tracks.begin(), tracks.end(),
                            [](const Track& track) { return track.name == "copy stream (predicted)"; }));
}

// Twenty steps of fifty launches run ahead of the GPU until the only wait; one launch takes long with three
// hundred of them queued, but others go through with more: the queue was not full.
TEST(Replay, ASlowLaunchIsNoFullQueue)
{
    SampleTrace sample;
    const TrackId steps = sample.builder().addTrack(sample.process(), TrackKind::Annotations, "steps");
    constexpr int kSteps = 20, kLaunches = 50, kSlow = 310;
    std::int64_t hostNs = 0, gpuNs = 20 * kUs;
    for (int step = 0; step < kSteps; ++step) {
        const std::int64_t startNs = hostNs;
        for (int launch = 0; launch < kLaunches; ++launch) {
            const int number = step * kLaunches + launch;
            const std::int64_t costNs = number == kSlow ? 150 * kUs : 4 * kUs;
            sample.host(EventKind::RuntimeCall, hostNs, hostNs + costNs, "cudaLaunchKernel",
                        static_cast<std::uint32_t>(number + 1));
            gpuNs = std::max(gpuNs, hostNs + 10 * kUs);
            sample.kernel(gpuNs, gpuNs + 100 * kUs, 7, static_cast<std::uint32_t>(number + 1));
            gpuNs += 101 * kUs;
            hostNs += costNs + kUs;
        }
        sample.add(steps, EventKind::Step, startNs, hostNs, "step " + std::to_string(step));
    }
    ReplayOptions options;
    options.firstStep = 5;
    options.lastStep = 15;
    const Result<Replay> replay = test::builtReplay(std::make_shared<const Trace>(sample.build()), options);
    ASSERT_TRUE(replay.ok()) << replay.error();
    EXPECT_EQ(replay.value().report().inferredWaits, 0);
    EXPECT_TRUE(replay.value().report().trusted()) << replay.value().report().error();
}

TEST(Replay, WorkersNeedLanes)
{
    const Result<Replay> replay = test::builtReplay(traceOf({}));
    test::expectText(replay.value().predict(changes({"workers=4"})).error());
}

}  // namespace
}  // namespace overlane
