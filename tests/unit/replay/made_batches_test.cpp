// A loader without workers: what the training thread makes itself, made by workers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/base/units.h"
#include "core/replay/replay.h"
#include "tests/support/built_replay.h"
#include "tests/support/expect_text.h"
#include "tests/support/sample_traces.h"

namespace overlane
{
namespace
{

using test::SampleTrace;

constexpr int kBatches = 40;

struct BatchProgram {
    std::int64_t makeMs = 30;
    std::int64_t pinMs = 0;
    bool usesGpu = false;  // while it makes a batch
};

// As the recorder writes it: each batch is made within __next__, then 2 ms of the host, a launch, and a kernel of 10 ms
// that is waited for.
std::shared_ptr<const Trace> ownBatches(const BatchProgram& program)
{
    SampleTrace sample;
    TraceBuilder& builder = sample.builder();
    const TrackId steps = builder.addTrack(sample.process(), TrackKind::Annotations, "steps");
    const auto ms = [](std::int64_t time) { return time * kNsPerMs; };
    std::int64_t now = 0;
    std::uint32_t correlation = 0;
    for (int batch = 0; batch < kBatches; ++batch) {
        const std::int64_t start = now;
        const std::int64_t made = now + program.makeMs;
        const std::int64_t pinned = made + program.pinMs;
        sample.host(EventKind::HostWork, ms(start), ms(pinned), fmt::format("__next__, batch {}", batch));
        sample.host(EventKind::Loader, ms(start), ms(made), fmt::format("batch {}", batch));
        if (program.pinMs > 0)
            sample.host(EventKind::Loader, ms(made), ms(pinned), fmt::format("pin_memory batch {}", batch));
        if (program.usesGpu) {
            sample.host(EventKind::RuntimeCall, ms(start) + 1000, ms(start) + 2000, "cudaLaunchKernel", ++correlation);
            sample.kernel(ms(start) + 3000, ms(start) + 4000, 7, correlation);
        }
        const std::int64_t launched = pinned + 2;
        sample.host(EventKind::RuntimeCall, ms(launched), ms(launched) + 10'000, "cudaLaunchKernel", ++correlation);
        sample.kernel(ms(launched) + 20'000, ms(launched + 10), 7, correlation);
        now = launched + 10;
        sample.host(EventKind::RuntimeCall, ms(launched) + 20'000, ms(now), "cudaDeviceSynchronize", ++correlation);
        sample.add(steps, EventKind::Step, ms(start), ms(now), fmt::format("step {}", batch));
    }
    return std::make_shared<const Trace>(sample.build());
}

Result<Replay> replayOf(const BatchProgram& program)
{
    ReplayOptions options;
    options.firstStep = 10;
    options.lastStep = 35;
    return test::builtReplay(ownBatches(program), options);
}

Result<Prediction> predicted(const Replay& replay, const char* change, WithTrace withTrace)
{
    return replay.predict(std::vector<Change>{parseChange(change).value()}, withTrace);
}

std::int64_t predictedStepNs(const Replay& replay, const char* change)
{
    const Result<Prediction> made = predicted(replay, change, WithTrace::No);
    EXPECT_TRUE(made.ok()) << made.error();
    return made.ok() ? made.value().stepNsPredicted : 0;
}

TEST(MadeBatches, WorkersMakeThemAhead)
{
    const Result<Replay> replay = replayOf({});
    ASSERT_TRUE(replay.ok()) << replay.error();
    EXPECT_TRUE(replay.value().report().trusted()) << replay.value().report().error();
    EXPECT_NEAR(replay.value().report().stepNsReplayed, 42 * kNsPerMs, kNsPerMs / 2.0);
    EXPECT_NEAR(predictedStepNs(replay.value(), "workers=8"), 12 * kNsPerMs, kNsPerMs)
        << "2 of the host, 10 of the GPU";
    EXPECT_NEAR(predictedStepNs(replay.value(), "workers=2"), 15 * kNsPerMs, kNsPerMs) << "one every 15 ms";
    EXPECT_NEAR(predictedStepNs(replay.value(), "workers=1"), 30 * kNsPerMs, kNsPerMs) << "beside the GPU's work";
}

TEST(MadeBatches, ThePinThreadTakesOverWhatWasPinnedInTheTrainingThread)
{
    const Result<Replay> replay = replayOf({.pinMs = 8});
    ASSERT_TRUE(replay.ok()) << replay.error();
    EXPECT_NEAR(replay.value().report().stepNsReplayed, 50 * kNsPerMs, kNsPerMs / 2.0);
    EXPECT_NEAR(predictedStepNs(replay.value(), "workers=8"), 12 * kNsPerMs, kNsPerMs);
}

TEST(MadeBatches, TheRangeSaysThatWorkersWereNotSeen)
{
    const Result<Replay> replay = replayOf({});
    ASSERT_TRUE(replay.ok()) << replay.error();
    const Result<Prediction> made = predicted(replay.value(), "workers=2", WithTrace::No);
    ASSERT_TRUE(made.ok()) << made.error();
    EXPECT_GE(made.value().highNs, 22 * kNsPerMs) << "workers may take half as long again";
    EXPECT_LE(made.value().lowNs, 13.5 * kNsPerMs);
    test::expectText(made.value().rangeOrigins);
    test::expectText(made.value().notes);
}

TEST(MadeBatches, TheyAreSuggested)
{
    const Result<Replay> replay = replayOf({});
    ASSERT_TRUE(replay.ok()) << replay.error();
    const Result<std::vector<Prediction>> suggested = replay.value().suggestions();
    ASSERT_TRUE(suggested.ok()) << suggested.error();
    ASSERT_FALSE(suggested.value().empty());
    EXPECT_EQ(suggested.value().front().changes.front().kind, ChangeKind::Workers);
}

TEST(MadeBatches, ThePredictedTraceHasTheWorkersLanes)
{
    const Result<Replay> replay = replayOf({});
    ASSERT_TRUE(replay.ok()) << replay.error();
    const Result<Prediction> made = predicted(replay.value(), "workers=2", WithTrace::Yes);
    ASSERT_TRUE(made.ok()) << made.error();
    ASSERT_NE(made.value().trace, nullptr);
    const Trace& trace = *made.value().trace;
    int workers = 0;
    for (const Track& track : trace.tracks()) {
        workers += track.kind == TrackKind::LoaderActor && track.name.starts_with("worker");
        for (std::uint32_t at = track.events.first; at < track.events.last; ++at)
            EXPECT_FALSE(track.kind == TrackKind::Thread && trace.kind(EventIndex(at)) == EventKind::Loader)
                << "the thread makes no batch any more";
    }
    EXPECT_EQ(workers, 2);
}

TEST(MadeBatches, ADatasetThatUsesTheGpuStaysWhereItIs)
{
    const Result<Replay> replay = replayOf({.usesGpu = true});
    ASSERT_TRUE(replay.ok()) << replay.error();
    EXPECT_FALSE(predicted(replay.value(), "workers=4", WithTrace::No).ok());
}

}  // namespace
}  // namespace overlane
