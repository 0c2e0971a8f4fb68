// The rules of the loader's queues and of its pinned memory, seen in the traces of runs.
#include "core/loader/loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/loader/run.h"
#include "core/simulation/spread.h"
#include "core/simulation/virtual_engine.h"
#include "tests/support/expect_text.h"

namespace overlane
{
namespace
{

Trace trace(const Scenario& scenario)
{
    auto run = simulate(scenario, *findDeviceProfile("h200"));
    EXPECT_TRUE(run.ok()) << run.error();
    return std::move(run).value().trace;
}

const Track* findTrack(const Trace& trace, std::string_view name)
{
    for (const Track& track : trace.tracks())
        if (track.name == name)
            return &track;
    return nullptr;
}

std::vector<Event> eventsOn(const Trace& trace, std::string_view trackName, EventKind kind)
{
    std::vector<Event> events;
    const Track* track = findTrack(trace, trackName);
    for (std::uint32_t at = track ? track->events.first : 0; track && at < track->events.last; ++at)
        if (trace.kind(EventIndex(at)) == kind)
            events.push_back(trace.event(EventIndex(at)));
    return events;
}

Scenario smallScenario()
{
    Scenario scenario;
    scenario.batches = 24;
    scenario.batchBytes = 1 << 20;
    scenario.tensors = 1;
    scenario.workers = 3;
    scenario.prefetchFactor = 2;
    scenario.produceUs = 1000;
    scenario.produceSpread = 0;
    scenario.computeUs = 3000;
    return scenario;
}

TEST(LoaderTest, AsManyIndicesAreOutstandingAsWorkersTimesPrefetch)
{
    // The consumer is slow, so the workers stop once everything allowed is produced.
    const Trace run = trace(smallScenario());
    const auto steps = eventsOn(run, "Steps", EventKind::Step);
    ASSERT_EQ(steps.size(), 24u);
    for (std::size_t batch = 4; batch + 6 < steps.size(); ++batch) {
        std::int64_t produced = 0;
        for (const char* worker : {"worker 0", "worker 1", "worker 2"})
            for (const Event& event : eventsOn(run, worker, EventKind::Loader))
                produced += event.endNs() <= steps[batch].startNs;
        EXPECT_EQ(produced, static_cast<std::int64_t>(batch) + 6);
    }
}

TEST(LoaderTest, IndicesGoRoundRobinAndComeBackInOrder)
{
    Scenario scenario = smallScenario();
    scenario.produceSpread = 1;
    scenario.computeUs = 10;
    const Trace run = trace(scenario);
    std::vector<std::string> names;
    for (const Event& event : eventsOn(run, "worker 1", EventKind::Loader))
        names.emplace_back(run.strings().view(event.name));
    test::expectText(names);
    // A batch is never used before it and all before it are there, whoever was faster.
    std::vector<std::int64_t> producedNs(24);
    for (int worker = 0; worker < 3; ++worker) {
        int index = worker;
        for (const Event& event : eventsOn(run, "worker " + std::to_string(worker), EventKind::Loader)) {
            producedNs[index] = event.endNs();
            index += 3;
        }
    }
    const auto copies = eventsOn(run, "stream 0", EventKind::CopyH2D);
    ASSERT_EQ(copies.size(), 24u);
    std::int64_t latestNs = 0;
    bool stalled = false;
    for (std::size_t batch = 0; batch < copies.size(); ++batch) {
        stalled |= producedNs[batch] < latestNs;
        latestNs = std::max(latestNs, producedNs[batch]);
        EXPECT_GE(copies[batch].startNs, latestNs);
    }
    EXPECT_TRUE(stalled) << "no batch overtook another, so the test shows nothing";
}

TEST(LoaderTest, WithoutWorkersTheConsumerProduces)
{
    Scenario scenario = smallScenario();
    scenario.workers = 0;
    scenario.pin = PinStrategy::Thread;
    const Trace run = trace(scenario);
    EXPECT_EQ(findTrack(run, "pin thread"), nullptr);
    EXPECT_EQ(eventsOn(run, "main", EventKind::Loader).size(), 48u);  // produced and pinned
}

TEST(LoaderTest, OnlyPinningInTheLoaderHasAPinThread)
{
    Scenario scenario = smallScenario();
    for (const PinStrategy pin : {PinStrategy::None, PinStrategy::Consumer, PinStrategy::Ring, PinStrategy::Register}) {
        scenario.pin = pin;
        EXPECT_EQ(findTrack(trace(scenario), "pin thread"), nullptr);
    }
    scenario.pin = PinStrategy::Thread;
    EXPECT_EQ(eventsOn(trace(scenario), "pin thread", EventKind::Loader).size(), 24u);
}

TEST(LoaderTest, NoMoreBatchesAreOnTheDeviceThanItHasBuffers)
{
    Scenario scenario = smallScenario();
    scenario.pin = PinStrategy::Thread;
    scenario.nonBlocking = true;
    scenario.copyStream = CopyStream::Side;
    for (const std::int64_t depth : {1, 2, 4}) {
        scenario.deviceBuffers = depth;
        const Trace run = trace(scenario);
        const auto copies = eventsOn(run, "copy stream", EventKind::CopyH2D);
        const auto kernels = eventsOn(run, "stream 0", EventKind::Kernel);
        ASSERT_EQ(copies.size(), 24u);
        ASSERT_EQ(kernels.size(), 24u);
        for (std::size_t batch = depth; batch < copies.size(); ++batch)
            EXPECT_GE(copies[batch].startNs, kernels[batch - depth].endNs()) << depth;
        for (std::size_t batch = 0; batch < copies.size(); ++batch)
            EXPECT_GE(kernels[batch].startNs, copies[batch].endNs()) << depth;
    }
}

TEST(LoaderTest, ThePoolAllocatesFewBlocksAndFreshOneForEach)
{
    Scenario scenario = smallScenario();
    scenario.pin = PinStrategy::Consumer;
    scenario.nonBlocking = true;
    const auto allocations = [](const Trace& run) {
        std::int64_t count = 0;
        for (std::size_t at = 0; at < run.eventCount(); ++at)
            count += run.name(EventIndex(at)) == "cudaHostAlloc";
        return count;
    };
    EXPECT_LE(allocations(trace(scenario)), 4);
    scenario.allocator = Allocator::Fresh;
    EXPECT_EQ(allocations(trace(scenario)), 24);
}

TEST(PinnedPoolTest, RoundsEachTensorToAPowerOfTwo)
{
    EXPECT_EQ(PinnedPool::roundedBytes(48 << 20, 2), 64 << 20);
    EXPECT_EQ(PinnedPool::roundedBytes(48 << 20, 1), 64 << 20);
    EXPECT_EQ(PinnedPool::roundedBytes(48 << 20, 3), 48 << 20);
}

TEST(PinnedPoolTest, ABlockIsReusedOnlyAfterItsLastUseHasEnded)
{
    VirtualEngine engine(*findDeviceProfile("h200"), {1ll << 36, 0});
    const StreamId stream = engine.addStream("s");
    const GpuEventId used = engine.addEvent();
    const ActorId actor = engine.addActor("main");
    PinnedPool pool(engine);
    const auto body = [&]() -> Task {
        co_await Await(engine, actor, op::Launch{{}, stream, op::KernelLoad::Full, 1'000'000});
        co_await Await(engine, actor, op::RecordEvent{used, stream});
        pool.free({BufferId(7), 4096, used});
        EXPECT_FALSE(pool.take(4096).has_value());
        co_await Await(engine, actor, op::SyncStream{stream});
        EXPECT_FALSE(pool.take(8192).has_value());
        const auto block = pool.take(4096);
        EXPECT_TRUE(block && block->buffer == BufferId(7));
        EXPECT_FALSE(pool.take(4096).has_value());
    };
    engine.spawn(actor, body());
    EXPECT_TRUE(engine.run().ok());
}

TEST(SpreadTest, HasTheDeviationItSaysAndDependsOnSeedAndBatch)
{
    double sum = 0, squares = 0;
    constexpr int kDraws = 20'000;
    for (int index = 0; index < kDraws; ++index) {
        const double factor = spreadFactor(1, index, 0.1);
        sum += factor;
        squares += (factor - 1) * (factor - 1);
    }
    EXPECT_NEAR(sum / kDraws, 1, 0.005);
    EXPECT_NEAR(std::sqrt(squares / kDraws), 0.1, 0.005);
    EXPECT_EQ(spreadFactor(5, 3, 0), 1);
    EXPECT_NE(spreadFactor(5, 3, 0.1), spreadFactor(6, 3, 0.1));
    EXPECT_GE(spreadFactor(5, 3, 1), 0.05);
}

}  // namespace
}  // namespace overlane
