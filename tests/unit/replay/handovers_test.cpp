// Batches that a busy worker hands over late: that waiting is not the training thread's own work.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/base/units.h"
#include "core/replay/replay.h"
#include "tests/support/built_replay.h"
#include "tests/support/sample_traces.h"

namespace overlane
{
namespace
{

using test::SampleTrace;

constexpr int kHandedOver = 40;

// Two workers without rest, 40 ms a batch, so one every 20 ms. For 30 ms of each they hand over nothing: batch
// k, made at 20k + 40, comes at 20k + 70 and is fetched at 20k + 71. Even fetches begin 12 ms before that, odd
// ones 1 ms. The rest of a step is the host's own, 19 ms and 8 ms in turn, with a kernel of 1 ms in it.
std::shared_ptr<const Trace> busyWorkers()
{
    SampleTrace sample;
    TraceBuilder& builder = sample.builder();
    const TrackId workers[] = {builder.addTrack(sample.process(), TrackKind::LoaderActor, "worker 0", -1, 1),
                               builder.addTrack(sample.process(), TrackKind::LoaderActor, "worker 1", -1, 2)};
    const TrackId steps = builder.addTrack(sample.process(), TrackKind::Annotations, "steps");
    const auto ms = [](std::int64_t time) { return time * kNsPerMs; };
    for (int batch = 0; batch < kHandedOver; ++batch) {
        const std::int64_t madeMs = 20 * batch + 40;
        sample.add(workers[batch % 2], EventKind::Loader, ms(madeMs - 40), ms(madeMs),
                   fmt::format("make batch {}", batch));
        const std::int64_t fetchedMs = madeMs + 31;
        sample.host(EventKind::HostWork, ms(fetchedMs - (batch % 2 == 0 ? 12 : 1)), ms(fetchedMs),
                    fmt::format("DataLoader.__next__, batch {}", batch));
        const std::int64_t nextMs = fetchedMs + (batch % 2 == 0 ? 19 : 8);
        sample.add(steps, EventKind::Step, ms(fetchedMs), ms(nextMs), fmt::format("step {}", batch));
        const auto correlation = static_cast<std::uint32_t>(batch + 1);
        sample.host(EventKind::RuntimeCall, ms(fetchedMs), ms(fetchedMs) + 10 * kNsPerUs, "cudaLaunchKernel",
                    correlation);
        sample.kernel(ms(fetchedMs) + 20 * kNsPerUs, ms(fetchedMs + 1), 7, correlation);
    }
    return std::make_shared<const Trace>(sample.build());
}

std::int64_t predictedNs(const Replay& replay, const char* change)
{
    const Result<Prediction> made = replay.predict(std::vector<Change>{parseChange(change).value()});
    EXPECT_TRUE(made.ok()) << made.error();
    return made.ok() ? made.value().stepNsPredicted : 0;
}

// One worker that takes 200 ms for a batch. Eight begin with the epoch, not when the one came to their batches.
TEST(Handovers, WorkersThatAreAddedBeginWithTheEpoch)
{
    SampleTrace sample;
    TraceBuilder& builder = sample.builder();
    const TrackId worker = builder.addTrack(sample.process(), TrackKind::LoaderActor, "worker 0", -1, 1);
    const TrackId steps = builder.addTrack(sample.process(), TrackKind::Annotations, "steps");
    const auto ms = [](std::int64_t time) { return time * kNsPerMs; };
    for (int batch = 0; batch < kHandedOver; ++batch) {
        const std::int64_t madeMs = 200 * std::int64_t{batch + 1};
        sample.add(worker, EventKind::Loader, ms(madeMs - 200), ms(madeMs), fmt::format("make batch {}", batch));
        sample.host(EventKind::HostWork, ms(madeMs - 170), ms(madeMs),
                    fmt::format("DataLoader.__next__, batch {}", batch));
        sample.add(steps, EventKind::Step, ms(madeMs), ms(madeMs + 200), fmt::format("step {}", batch));
        const auto correlation = static_cast<std::uint32_t>(batch + 1);
        sample.host(EventKind::RuntimeCall, ms(madeMs), ms(madeMs) + 10 * kNsPerUs, "cudaLaunchKernel", correlation);
        sample.kernel(ms(madeMs) + 20 * kNsPerUs, ms(madeMs + 1), 7, correlation);
    }
    ReplayOptions options;
    options.firstStep = 2;
    options.lastStep = 18;
    const Result<Replay> replay = test::builtReplay(std::make_shared<const Trace>(sample.build()), options);
    ASSERT_TRUE(replay.ok()) << replay.error();
    EXPECT_NEAR(predictedNs(replay.value(), "workers=8"), 30 * kNsPerMs, 5 * kNsPerMs);
}

TEST(Handovers, ABusyWorkersDelayGoesWhereWorkersRest)
{
    ReplayOptions options;
    options.firstStep = 10;
    options.lastStep = 35;
    const Result<Replay> replay = test::builtReplay(busyWorkers(), options);
    ASSERT_TRUE(replay.ok()) << replay.error();
    EXPECT_NEAR(replay.value().report().stepNsMeasured, 20 * kNsPerMs, kNsPerMs / 2.0);
    EXPECT_TRUE(replay.value().report().trusted()) << replay.value().report().error();
    // Four workers make one every 10 ms: what stays is the host's own 19 + 1 and 8 + 1 ms.
    EXPECT_NEAR(predictedNs(replay.value(), "workers=4"), 14.5 * kNsPerMs, kNsPerMs);
    // One worker alone: 40 ms.
    EXPECT_NEAR(predictedNs(replay.value(), "workers=1"), 40 * kNsPerMs, kNsPerMs);
}

// A program that stops in the middle of an epoch: its pin thread takes 10 ms for a batch, and has done four
// that nobody fetches any more before the last one that is.
TEST(Handovers, BatchesThatNobodyFetchesKeepThePinThreadBusy)
{
    SampleTrace sample;
    TraceBuilder& builder = sample.builder();
    const TrackId worker = builder.addTrack(sample.process(), TrackKind::LoaderActor, "worker 0", -1, 1);
    const TrackId pin = builder.addTrack(sample.process(), TrackKind::LoaderActor, "pin thread", -1, 2);
    const TrackId steps = builder.addTrack(sample.process(), TrackKind::Annotations, "steps");
    const auto ms = [](std::int64_t time) { return time * kNsPerMs; };
    constexpr int kFetched = 30;
    constexpr int kLeft = 4;
    const auto pinnedMs = [](int batch) {
        const int place = batch < kFetched - 1 ? batch : batch == kFetched - 1 ? kFetched - 1 + kLeft : batch - 1;
        return std::int64_t{10} * (place + 1) + 2;
    };
    for (int batch = 0; batch < kFetched + kLeft; ++batch) {
        sample.add(worker, EventKind::Loader, ms(batch), ms(batch + 1), fmt::format("make batch {}", batch));
        sample.add(pin, EventKind::Loader, ms(pinnedMs(batch) - 10), ms(pinnedMs(batch)),
                   fmt::format("pin_memory batch {}", batch));
    }
    for (int batch = 0; batch < kFetched; ++batch) {
        const std::int64_t startMs = batch == 0 ? 0 : pinnedMs(batch - 1) + 3;
        const std::int64_t endNs = ms(pinnedMs(batch)) + 100 * kNsPerUs;
        sample.host(EventKind::HostWork, ms(startMs), endNs, fmt::format("DataLoader.__next__, batch {}", batch));
        const auto correlation = static_cast<std::uint32_t>(batch + 1);
        sample.host(EventKind::RuntimeCall, endNs, endNs + 10 * kNsPerUs, "cudaLaunchKernel", correlation);
        sample.kernel(endNs + 20 * kNsPerUs, endNs + ms(1), 7, correlation);
        sample.add(steps, EventKind::Step, endNs, ms(pinnedMs(batch) + 3), fmt::format("step {}", batch));
    }
    ReplayOptions options;
    options.firstStep = 10;
    options.lastStep = 28;
    const Result<Replay> replay = test::builtReplay(std::make_shared<const Trace>(sample.build()), options);
    ASSERT_TRUE(replay.ok()) << replay.error();
    EXPECT_GT(replay.value().report().stepNsMeasured, 12 * kNsPerMs);
    EXPECT_TRUE(replay.value().report().trusted()) << replay.value().report().error();
}

// Four workers of which each has 30 ms of work for a batch, and the consumer that asks for one every 10 ms keeps
// its interpreter for 6 ms after asking: workers begin that much later, but two that never rest do not wait for it.
TEST(Handovers, WhatTheConsumerTakesToAskIsNoTimeOfTheWorkers)
{
    SampleTrace sample;
    TraceBuilder& builder = sample.builder();
    std::vector<TrackId> workers;
    workers.reserve(4);
    for (int worker = 0; worker < 4; ++worker)
        workers.push_back(builder.addTrack(sample.process(), TrackKind::LoaderActor, fmt::format("worker {}", worker),
                                           -1, worker + 1));
    const TrackId steps = builder.addTrack(sample.process(), TrackKind::Annotations, "steps");
    const auto ms = [](std::int64_t time) { return time * kNsPerMs; };
    constexpr int kAhead = 8;
    for (int batch = 0; batch < kHandedOver; ++batch) {
        const std::int64_t fetchedMs = 60 + 10 * batch;
        const std::int64_t begunMs = batch < kAhead ? (batch < 4 ? 0 : 30) : 60 + 10 * (batch - kAhead) + 6;
        sample.add(workers[static_cast<std::size_t>(batch % 4)], EventKind::Loader, ms(begunMs), ms(begunMs + 30),
                   fmt::format("make batch {}", batch));
        sample.host(EventKind::HostWork, ms(fetchedMs) - 100 * kNsPerUs, ms(fetchedMs),
                    fmt::format("DataLoader.__next__, batch {}", batch));
        sample.add(steps, EventKind::Step, ms(fetchedMs), ms(fetchedMs + 10), fmt::format("step {}", batch));
        const auto correlation = static_cast<std::uint32_t>(batch + 1);
        sample.host(EventKind::RuntimeCall, ms(fetchedMs), ms(fetchedMs) + 10 * kNsPerUs, "cudaLaunchKernel",
                    correlation);
        sample.kernel(ms(fetchedMs) + 20 * kNsPerUs, ms(fetchedMs + 1), 7, correlation);
    }
    ReplayOptions options;
    options.firstStep = 10;
    options.lastStep = 35;
    const Result<Replay> replay = test::builtReplay(std::make_shared<const Trace>(sample.build()), options);
    ASSERT_TRUE(replay.ok()) << replay.error();
    EXPECT_EQ(replay.value().report().stepNsMeasured, replay.value().report().stepNsReplayed);
    EXPECT_NEAR(predictedNs(replay.value(), "workers=2"), 15 * kNsPerMs, kNsPerMs / 2.0);
}

// Eight workers with 60 ms for a batch, 55 ms of it for its samples, asked for sixteen ahead; a pin thread that takes
// 16 ms for each and sets the pace. When it takes a batch, the worker of that one is at rest.
std::shared_ptr<const Trace> restingWorkers(bool showsCollating)
{
    SampleTrace sample;
    TraceBuilder& builder = sample.builder();
    std::vector<TrackId> workers;
    workers.reserve(8);
    for (int worker = 0; worker < 8; ++worker)
        workers.push_back(builder.addTrack(sample.process(), TrackKind::LoaderActor, fmt::format("worker {}", worker),
                                           -1, worker + 1));
    const TrackId pin = builder.addTrack(sample.process(), TrackKind::LoaderActor, "pin thread", -1, 99);
    const TrackId steps = builder.addTrack(sample.process(), TrackKind::Annotations, "steps");
    const auto ms = [](std::int64_t time) { return time * kNsPerMs; };
    for (int batch = 0; batch < 80; ++batch) {
        const std::int64_t begunMs = batch < 8 ? 0 : batch < 16 ? 60 : 76 + 16 * (batch - 16);
        const TrackId worker = workers[static_cast<std::size_t>(batch % 8)];
        sample.add(worker, EventKind::Loader, ms(begunMs), ms(begunMs + 60), fmt::format("batch {}", batch));
        if (showsCollating)
            sample.add(worker, EventKind::HostWork, ms(begunMs + 55), ms(begunMs + 60),
                       fmt::format("collate batch {}", batch));
        const std::int64_t pinnedMs = 60 + 16 * (batch + 1);
        sample.add(pin, EventKind::Loader, ms(pinnedMs - 16), ms(pinnedMs), fmt::format("pin_memory batch {}", batch));
        sample.host(EventKind::HostWork, ms(pinnedMs - 2), ms(pinnedMs),
                    fmt::format("DataLoader.__next__, batch {}", batch));
        sample.add(steps, EventKind::Step, ms(pinnedMs), ms(pinnedMs + 16), fmt::format("step {}", batch));
        const auto correlation = static_cast<std::uint32_t>(batch + 1);
        sample.host(EventKind::RuntimeCall, ms(pinnedMs), ms(pinnedMs) + 10 * kNsPerUs, "cudaLaunchKernel",
                    correlation);
        sample.kernel(ms(pinnedMs) + 20 * kNsPerUs, ms(pinnedMs + 1), 7, correlation);
    }
    return std::make_shared<const Trace>(sample.build());
}

TEST(Handovers, FewerWorkersKeepBatchesBackWhileTheyMakeSamples)
{
    const auto replayOf = [](bool showsCollating) {
        ReplayOptions options;
        options.firstStep = 20;
        options.lastStep = 70;
        return test::builtReplay(restingWorkers(showsCollating), options);
    };
    const Result<Replay> shown = replayOf(true), hidden = replayOf(false);
    ASSERT_TRUE(shown.ok()) << shown.error();
    ASSERT_TRUE(hidden.ok()) << hidden.error();
    EXPECT_TRUE(shown.value().report().trusted()) << shown.value().report().error();
    EXPECT_EQ(shown.value().report().stepNsReplayed, hidden.value().report().stepNsReplayed);
    const std::vector<Change> fewer{parseChange("workers=4").value()};
    const Result<Prediction> held = shown.value().predict(fewer), quick = hidden.value().predict(fewer);
    ASSERT_TRUE(held.ok() && quick.ok());
    EXPECT_GT(held.value().stepNsPredicted, quick.value().stepNsPredicted);
    EXPECT_LE(held.value().lowNs, quick.value().stepNsPredicted);
}

// Cut from the middle of an epoch: the first eight batches had been made and pinned before the trace begins.
TEST(Handovers, BatchesMadeBeforeTheTraceBeganTakeNoTimeInIt)
{
    SampleTrace sample;
    TraceBuilder& builder = sample.builder();
    const TrackId worker = builder.addTrack(sample.process(), TrackKind::LoaderActor, "worker 0", -1, 1);
    const TrackId pin = builder.addTrack(sample.process(), TrackKind::LoaderActor, "pin thread", -1, 2);
    const TrackId steps = builder.addTrack(sample.process(), TrackKind::Annotations, "steps");
    const auto ms = [](std::int64_t time) { return time * kNsPerMs; };
    constexpr int kMadeBefore = 8;
    for (int batch = 0; batch < kHandedOver; ++batch) {
        // While they last steps take 2 ms; then 9 ms of the pin thread for each.
        const int made = batch - kMadeBefore;
        const std::int64_t fetchedMs = made < 0 ? 2 * batch + 1 : 9 * made + 21;
        if (made >= 0) {
            sample.add(worker, EventKind::Loader, ms(8 * made + 1), ms(8 * made + 9), fmt::format("batch {}", batch));
            sample.add(pin, EventKind::Loader, ms(9 * made + 11), ms(9 * made + 20),
                       fmt::format("pin_memory batch {}", batch));
        }
        sample.host(EventKind::HostWork, ms(fetchedMs) - 100 * kNsPerUs, ms(fetchedMs),
                    fmt::format("DataLoader.__next__, batch {}", batch));
        const std::int64_t nextMs = made + 1 < 0 ? 2 * (batch + 1) + 1 : 9 * (made + 1) + 21;
        sample.add(steps, EventKind::Step, ms(fetchedMs), ms(nextMs), fmt::format("step {}", batch));
        const auto correlation = static_cast<std::uint32_t>(batch + 1);
        sample.host(EventKind::RuntimeCall, ms(fetchedMs), ms(fetchedMs) + 10 * kNsPerUs, "cudaLaunchKernel",
                    correlation);
        sample.kernel(ms(fetchedMs) + 20 * kNsPerUs, ms(fetchedMs + 1), 7, correlation);
    }
    ReplayOptions options;
    options.firstStep = 0;
    options.lastStep = 30;
    const Result<Replay> replay = test::builtReplay(std::make_shared<const Trace>(sample.build()), options);
    ASSERT_TRUE(replay.ok()) << replay.error();
    EXPECT_TRUE(replay.value().report().trusted()) << replay.value().report().error();
}

}  // namespace
}  // namespace overlane
