#include "core/engine/virtual_engine.h"

#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace overlane
{
namespace
{

using testing::ElementsAre;
constexpr std::int64_t kMiB = 1 << 20;

// One gigabyte per second either way, so that a megabyte takes a millisecond; simple latencies.
DeviceProfile device()
{
    DeviceProfile profile = *findDeviceProfile("h200");
    profile.h2dBytesPerSecond = profile.d2hBytesPerSecond = 1e9;
    profile.bidirectionalBytesPerSecond = 1e9;
    profile.copyLatencyNs = profile.submitLatencyNs = profile.dependencyLatencyNs = 0;
    profile.copyCallNs = profile.launchCallNs = profile.eventCallNs = profile.syncCallNs = 10;
    profile.syncReturnNs = 0;
    profile.stagingColdBytesPerSecond = profile.stagingWarmBytesPerSecond = profile.stagingD2hBytesPerSecond = 0.5e9;
    profile.stagingChunkBytes = 1'000'000;
    profile.runAheadLaunches = 8;
    profile.concurrentKernels = 2;
    profile.copyKernelSlowdown = 2;
    return profile;
}

class VirtualEngineTest : public testing::Test
{
protected:
    // Runs one actor's body; `m_trace` has what happened.
    void runActor(const std::function<Task(ActorId)>& body)
    {
        const ActorId actor = m_engine.addActor("main");
        m_engine.spawn(actor, body(actor));
        const auto ended = m_engine.run();
        ASSERT_TRUE(ended.ok()) << ended.error();
        m_trace = m_engine.takeTrace();
    }
    Await on(ActorId actor, Operation operation) { return {m_engine, actor, operation}; }

    // How long the host and the GPU took for one copy behind a kernel of 5 ms in the same stream.
    struct CopyTimes {
        std::int64_t callNs = 0;
        Interval onGpu;
    };
    CopyTimes copyBehindKernel(EventKind direction, MemoryKind memory, bool async, std::int64_t bytes)
    {
        CopyTimes times;
        const StreamId stream = m_engine.addStream("s");
        runActor([&](ActorId actor) -> Task {
            const BufferId buffer(static_cast<std::uint32_t>(co_await on(actor, op::Allocate{memory, bytes})));
            m_engine.startClock();
            co_await on(actor, op::Launch{{}, stream, op::KernelLoad::Full, 5'000'000});
            const std::int64_t startNs = m_engine.nowNs();
            co_await on(actor, op::Copy{direction, stream, buffer, bytes, async});
            times.callNs = m_engine.nowNs() - startNs;
            co_await on(actor, op::SyncDevice{});
        });
        times.onGpu = intervals(direction).at(0);
        return times;
    }

    std::vector<Interval> intervals(EventKind kind) const
    {
        std::vector<Interval> found;
        for (std::size_t at = 0; at < m_trace.eventCount(); ++at)
            if (m_trace.kind(EventIndex(at)) == kind)
                found.push_back(m_trace.interval(EventIndex(at)));
        return found;
    }
    std::vector<std::string> names(EventKind kind) const
    {
        std::vector<std::string> found;
        for (std::size_t at = 0; at < m_trace.eventCount(); ++at)
            if (m_trace.kind(EventIndex(at)) == kind)
                found.emplace_back(m_trace.name(EventIndex(at)));
        return found;
    }

    const DeviceProfile m_profile = device();
    VirtualEngine m_engine{m_profile, {64ll << 30, 0}};
    Trace m_trace;
};

// What the runtime promises, row by row. The kernel before ends at 5.00001 ms.

TEST_F(VirtualEngineTest, PinnedAsyncHostToDeviceReturnsAtOnce)
{
    const CopyTimes times = copyBehindKernel(EventKind::CopyH2D, MemoryKind::Pinned, true, 1'000'000);
    EXPECT_EQ(times.callNs, 10);
    EXPECT_EQ(times.onGpu, (Interval{5'000'010, 6'000'010}));
}

TEST_F(VirtualEngineTest, PinnedBlockingHostToDeviceReturnsWhenDone)
{
    const CopyTimes times = copyBehindKernel(EventKind::CopyH2D, MemoryKind::Pinned, false, 1'000'000);
    EXPECT_EQ(times.callNs, 6'000'000);
}

TEST_F(VirtualEngineTest, PageableAsyncHostToDeviceStagesAndWaitsForTheStream)
{
    // Two chunks of a megabyte are staged in 4 ms, before the stream is free; two in another 4 ms, and the
    // transfer of the last ends a millisecond after the call.
    const CopyTimes times = copyBehindKernel(EventKind::CopyH2D, MemoryKind::Pageable, true, 4'000'000);
    EXPECT_EQ(times.onGpu, (Interval{5'000'010, 10'000'010}));
    EXPECT_EQ(times.callNs, 9'000'000);
    EXPECT_THAT(names(EventKind::HostBlocked), ElementsAre("staging", "wait for the stream before staging", "staging"));
    EXPECT_THAT(intervals(EventKind::HostBlocked),
                ElementsAre(Interval{20, 4'000'020}, Interval{4'000'020, 5'000'010}, Interval{5'000'010, 9'000'010}));
}

TEST_F(VirtualEngineTest, PageableCopiesThatFitTheStagingBufferDoNotWaitForTheStream)
{
    const CopyTimes times = copyBehindKernel(EventKind::CopyH2D, MemoryKind::Pageable, true, 2'000'000);
    EXPECT_EQ(times.callNs, 4'000'010);
    EXPECT_EQ(times.onGpu.startNs, 5'000'010);
    EXPECT_THAT(names(EventKind::HostBlocked), ElementsAre("staging"));
}

TEST_F(VirtualEngineTest, PageableBlockingHostToDeviceReturnsWhenDone)
{
    const CopyTimes times = copyBehindKernel(EventKind::CopyH2D, MemoryKind::Pageable, false, 4'000'000);
    EXPECT_EQ(times.callNs, 10'000'000);
    EXPECT_EQ(times.onGpu.endNs, 10'000'010);
}

// What fits the staging buffer is staged beside the kernel before it, but has not arrived then.
TEST_F(VirtualEngineTest, SmallPageableBlockingCopiesWaitForTheStreamAllTheSame)
{
    const CopyTimes times = copyBehindKernel(EventKind::CopyH2D, MemoryKind::Pageable, false, 65536);
    EXPECT_EQ(times.callNs + 10, times.onGpu.endNs);
    EXPECT_GT(times.onGpu.startNs, 5'000'000);
}

TEST_F(VirtualEngineTest, SmallPageableCopiesReturnBeforeTheirTransfer)
{
    const CopyTimes times = copyBehindKernel(EventKind::CopyH2D, MemoryKind::Pageable, true, 65536);
    EXPECT_EQ(times.callNs, 10 + 131'072);
    EXPECT_EQ(times.onGpu.startNs, 5'000'010);
    EXPECT_TRUE(names(EventKind::HostBlocked).empty());
}

TEST_F(VirtualEngineTest, PageableDeviceToHostReturnsWhenDoneEvenIfAsync)
{
    const CopyTimes times = copyBehindKernel(EventKind::CopyD2H, MemoryKind::Pageable, true, 1'000'000);
    EXPECT_EQ(times.callNs, 7'000'000);
    EXPECT_EQ(times.onGpu.endNs, 7'000'010);
}

TEST_F(VirtualEngineTest, PinnedDeviceToHost)
{
    const CopyTimes times = copyBehindKernel(EventKind::CopyD2H, MemoryKind::Pinned, true, 1'000'000);
    EXPECT_EQ(times.callNs, 10);
    EXPECT_EQ(times.onGpu.endNs, 6'000'010);
}

TEST_F(VirtualEngineTest, PinnedBlockingDeviceToHostReturnsWhenDone)
{
    EXPECT_EQ(copyBehindKernel(EventKind::CopyD2H, MemoryKind::Pinned, false, 1'000'000).callNs, 6'000'000);
}

TEST_F(VirtualEngineTest, CopiesOfOneDirectionSerialiseAndBothDirectionsShareTheLink)
{
    const StreamId one = m_engine.addStream("one");
    const StreamId two = m_engine.addStream("two");
    const StreamId three = m_engine.addStream("three");
    runActor([&](ActorId actor) -> Task {
        const BufferId buffer(static_cast<std::uint32_t>(co_await on(actor, op::Allocate{MemoryKind::Pinned, kMiB})));
        m_engine.startClock();
        co_await on(actor, op::Copy{EventKind::CopyH2D, one, buffer, 1'000'000, true});
        co_await on(actor, op::Copy{EventKind::CopyH2D, two, buffer, 1'000'000, true});
        co_await on(actor, op::Work{{}, 1'999'990 - m_engine.nowNs()});
        co_await on(actor, op::Copy{EventKind::CopyD2H, three, buffer, 1'000'000, true});
        co_await on(actor, op::Copy{EventKind::CopyH2D, one, buffer, 1'000'000, true});
        co_await on(actor, op::SyncDevice{});
    });
    // The second copy's last 10 ns and then the third run beside the other direction, at half rate.
    EXPECT_THAT(intervals(EventKind::CopyH2D),
                testing::UnorderedElementsAre(Interval{10, 1'000'010}, Interval{1'000'010, 2'000'020},
                                              Interval{2'000'020, 4'000'010}));
    EXPECT_THAT(intervals(EventKind::CopyD2H), ElementsAre(Interval{2'000'000, 4'000'000}));
}

TEST_F(VirtualEngineTest, AStreamKeepsItsOrderAndAnEventJoinsTwo)
{
    const StreamId copies = m_engine.addStream("copies");
    const StreamId compute = m_engine.addStream("compute");
    const GpuEventId copied = m_engine.addEvent();
    runActor([&](ActorId actor) -> Task {
        const BufferId buffer(static_cast<std::uint32_t>(co_await on(actor, op::Allocate{MemoryKind::Pinned, kMiB})));
        m_engine.startClock();
        co_await on(actor, op::Launch{{}, compute, op::KernelLoad::Full, 300'000});
        co_await on(actor, op::Copy{EventKind::CopyH2D, copies, buffer, 1'000'000, true});
        co_await on(actor, op::RecordEvent{copied, copies});
        co_await on(actor, op::StreamWaitEvent{compute, copied});
        co_await on(actor, op::Launch{{}, compute, op::KernelLoad::Full, 200'000});
        EXPECT_FALSE(m_engine.eventDone(copied));
        co_await on(actor, op::SyncEvent{copied});
        EXPECT_EQ(m_engine.nowNs(), 1'000'020);
        EXPECT_TRUE(m_engine.eventDone(copied));
        co_await on(actor, op::SyncStream{compute});
        EXPECT_EQ(m_engine.nowNs(), 1'200'020);
    });
    EXPECT_THAT(intervals(EventKind::Kernel), ElementsAre(Interval{10, 300'010}, Interval{1'000'020, 1'200'020}));
}

TEST_F(VirtualEngineTest, SmallKernelsRunBesideEachOtherAndFullOnesDoNot)
{
    std::vector<StreamId> streams;
    streams.reserve(3);
    for (int number = 0; number < 3; ++number)
        streams.push_back(m_engine.addStream("s" + std::to_string(number)));
    runActor([&](ActorId actor) -> Task {
        m_engine.startClock();
        for (const StreamId stream : streams)
            co_await on(actor, op::Launch{{}, stream, op::KernelLoad::Small, 1'000'000});
        co_await on(actor, op::SyncDevice{});
        for (const StreamId stream : streams)
            co_await on(actor, op::Launch{{}, stream, op::KernelLoad::Full, 1'000'000});
        co_await on(actor, op::SyncDevice{});
    });
    EXPECT_THAT(intervals(EventKind::Kernel),
                testing::UnorderedElementsAre(Interval{10, 1'000'010}, Interval{20, 1'000'020},
                                              Interval{1'000'010, 2'000'010}, Interval{2'000'020, 3'000'020},
                                              Interval{3'000'020, 4'000'020}, Interval{4'000'020, 5'000'020}));
}

TEST_F(VirtualEngineTest, MemoryBoundKernelsAndCopiesSlowEachOther)
{
    const StreamId copies = m_engine.addStream("copies");
    const StreamId compute = m_engine.addStream("compute");
    runActor([&](ActorId actor) -> Task {
        const BufferId buffer(static_cast<std::uint32_t>(co_await on(actor, op::Allocate{MemoryKind::Pinned, kMiB})));
        m_engine.startClock();
        co_await on(actor, op::Launch{{}, compute, op::KernelLoad::Memory, 500'010});
        co_await on(actor, op::Copy{EventKind::CopyH2D, copies, buffer, 1'000'000, true});
        co_await on(actor, op::SyncDevice{});
    });
    EXPECT_THAT(intervals(EventKind::Kernel), ElementsAre(Interval{10, 1'000'020}));
    EXPECT_THAT(intervals(EventKind::CopyH2D), ElementsAre(Interval{20, 1'500'020}));
}

TEST_F(VirtualEngineTest, TheHostRunsAheadOnlySoFar)
{
    const StreamId stream = m_engine.addStream("s");
    std::vector<std::int64_t> returnedNs;
    runActor([&](ActorId actor) -> Task {
        m_engine.startClock();
        for (int number = 0; number < 10; ++number) {
            co_await on(actor, op::Launch{{}, stream, op::KernelLoad::Full, 1'000'000});
            returnedNs.push_back(m_engine.nowNs());
        }
        co_await on(actor, op::SyncDevice{});
    });
    EXPECT_EQ(returnedNs[7], 80);
    EXPECT_EQ(returnedNs[8], 1'000'020);
    EXPECT_EQ(returnedNs[9], 2'000'020);
    EXPECT_THAT(names(EventKind::HostBlocked), ElementsAre("launch queue full", "launch queue full"));
}

TEST_F(VirtualEngineTest, HazardsAreNamed)
{
    const StreamId stream = m_engine.addStream("s");
    runActor([&](ActorId actor) -> Task {
        const BufferId buffer(static_cast<std::uint32_t>(co_await on(actor, op::Allocate{MemoryKind::Pinned, kMiB})));
        m_engine.startClock();
        co_await on(actor, op::Copy{EventKind::CopyH2D, stream, buffer, kMiB, true});
        co_await on(actor, op::Work{{}, 100, buffer});
        co_await on(actor, op::SyncDevice{});
        co_await on(actor, op::Work{{}, 100, buffer});
        co_await on(actor, op::Copy{EventKind::CopyD2H, stream, buffer, kMiB, true});
        co_await on(actor, op::Work{{}, 100, {}, buffer});
    });
    EXPECT_THAT(names(EventKind::Instant), ElementsAre("hazard: source rewritten before its copy ended",
                                                       "hazard: result read before its copy ended"));
}

TEST_F(VirtualEngineTest, CallsAreLinkedToTheirGpuWork)
{
    const StreamId stream = m_engine.addStream("s");
    runActor([&](ActorId actor) -> Task {
        const BufferId buffer(static_cast<std::uint32_t>(co_await on(actor, op::Allocate{MemoryKind::Pageable, kMiB})));
        m_engine.startClock();
        co_await on(actor, op::Copy{EventKind::CopyH2D, stream, buffer, kMiB, false});
        co_await on(actor, op::Launch{m_engine.label("k"), stream, op::KernelLoad::Full, 5});
        co_await on(actor, op::SyncDevice{});
    });
    std::vector<std::string> pairs;
    for (std::size_t at = 0; at < m_trace.eventCount(); ++at)
        if (const EventIndex call = m_trace.link(EventIndex(at));
            call.valid() && m_trace.kind(EventIndex(at)) != EventKind::RuntimeCall)
            pairs.push_back(std::string(m_trace.name(call)) + " -> " + std::string(m_trace.name(EventIndex(at))));
    EXPECT_THAT(pairs, testing::UnorderedElementsAre("cudaMemcpy -> Memcpy HtoD (Pageable -> Device)",
                                                     "cudaLaunchKernel -> k"));
}

TEST_F(VirtualEngineTest, FreeingPinnedMemoryWaitsForItsCopy)
{
    const StreamId stream = m_engine.addStream("s");
    runActor([&](ActorId actor) -> Task {
        const BufferId buffer(static_cast<std::uint32_t>(co_await on(actor, op::Allocate{MemoryKind::Pinned, kMiB})));
        m_engine.startClock();
        EXPECT_EQ(m_engine.memory().lockedBytes(), kMiB);
        co_await on(actor, op::Copy{EventKind::CopyH2D, stream, buffer, kMiB, true});
        co_await on(actor, op::Free{buffer});
        EXPECT_GT(m_engine.nowNs(), kMiB);
        EXPECT_EQ(m_engine.memory().lockedBytes(), 0);
    });
    EXPECT_EQ(m_engine.pinnedPeakBytes(), kMiB);
}

TEST_F(VirtualEngineTest, QueuesAreFirstInFirstOutAndClose)
{
    const QueueId queue = m_engine.addQueue("q");
    const ActorId taker = m_engine.addActor("taker");
    std::vector<std::int64_t> taken;
    const auto takeAll = [&]() -> Task {
        for (;;) {
            taken.push_back(co_await on(taker, op::Take{queue, {}}));
            if (taken.back() == kQueueClosed)
                co_return;
        }
    };
    m_engine.spawn(taker, takeAll());
    runActor([&](ActorId actor) -> Task {
        for (const std::int64_t value : {3, 1, 2}) {
            co_await on(actor, op::Put{queue, value});
            co_await on(actor, op::Work{{}, 100});
        }
        co_await on(actor, op::Close{queue});
    });
    EXPECT_THAT(taken, ElementsAre(3, 1, 2, kQueueClosed));
}

TEST_F(VirtualEngineTest, AnActorThatWaitsForeverIsAnError)
{
    const QueueId queue = m_engine.addQueue("q");
    const ActorId actor = m_engine.addActor("main");
    const auto body = [&]() -> Task { co_await on(actor, op::Take{queue, {}}); };
    m_engine.spawn(actor, body());
    EXPECT_FALSE(m_engine.run().ok());
}

// Whoever waited longer sleeps deeper.
TEST_F(VirtualEngineTest, WakingTakesTheLongerTheWaitWas)
{
    DeviceProfile profile = m_profile;
    profile.handOverNs = 50'000;
    VirtualEngine engine(profile, {64ll << 30, 0});
    const QueueId queue = engine.addQueue("q");
    const ActorId taker = engine.addActor("taker"), putter = engine.addActor("putter");
    std::vector<std::int64_t> lateNs;
    const auto take = [&]() -> Task {
        for (const std::int64_t putNs : {500'000, 10'500'000}) {
            co_await Await(engine, taker, op::Take{queue, {}});
            lateNs.push_back(engine.nowNs() - putNs);
        }
    };
    const auto put = [&]() -> Task {
        for (const std::int64_t workNs : {500'000, 10'000'000}) {
            co_await Await(engine, putter, op::Work{{}, workNs});
            co_await Await(engine, putter, op::Put{queue, 1});
        }
    };
    engine.spawn(taker, take());
    engine.spawn(putter, put());
    ASSERT_TRUE(engine.run().ok());
    EXPECT_THAT(lateNs, ElementsAre(15'811, 50'000));
}

// A thread that has waited since before the run sleeps as deep as one can, and waking it costs who wakes it.
TEST_F(VirtualEngineTest, ThreadsAreAsleepWhenTheRunStartsAndWakingThemIsACall)
{
    DeviceProfile profile = m_profile;
    profile.handOverNs = 50'000;
    VirtualEngine engine(profile, {64ll << 30, 0});
    const QueueId queue = engine.addQueue("q");
    const ActorId taker = engine.addActor("taker"), putter = engine.addActor("putter");
    std::int64_t takenNs = 0, firstPutNs = 0, secondPutNs = 0;
    const auto take = [&]() -> Task {
        co_await Await(engine, taker, op::Take{queue, {}});
        takenNs = engine.nowNs();
    };
    const auto put = [&]() -> Task {
        engine.startClock();
        co_await Await(engine, putter, op::Put{queue, 1});
        firstPutNs = engine.nowNs();
        co_await Await(engine, putter, op::Put{queue, 2});
        secondPutNs = engine.nowNs();
    };
    engine.spawn(taker, take());
    engine.spawn(putter, put());
    ASSERT_TRUE(engine.run().ok());
    EXPECT_EQ(takenNs, 50'000);
    EXPECT_EQ(firstPutNs, 5'000);
    EXPECT_EQ(secondPutNs, 5'000) << "nobody waits for it";
}

// Threads differ where the profile says so, as the seed has it.
TEST_F(VirtualEngineTest, EqualThreadsAreUnequallyFastWhereTheProfileSaysSo)
{
    const auto touchesNs = [&](double spread, std::uint64_t seed) {
        DeviceProfile profile = m_profile;
        profile.threadSpread = spread;
        profile.firstTouchCost = CostTable({{4096, 1000.0}});
        profile.mallocKeepsBytes = 0;
        SimulatedMachine machine{{64ll << 30, 0}};
        machine.seed = seed;
        VirtualEngine engine(profile, machine);
        std::vector<std::int64_t> endNs;
        const auto touch = [&](ActorId actor) -> Task {
            if (actor.value() == 0)
                engine.startClock();
            std::int64_t buffer = co_await Await(engine, actor, op::Allocate{MemoryKind::Pageable, kMiB});
            const std::int64_t startNs = engine.nowNs();
            co_await Await(engine, actor, op::Work{{}, 1, BufferId(static_cast<std::uint32_t>(buffer))});
            endNs.push_back(engine.nowNs() - startNs);
        };
        for (int number = 0; number < 4; ++number) {
            const ActorId actor = engine.addActor("worker");
            engine.spawn(actor, touch(actor));
        }
        EXPECT_TRUE(engine.run().ok());
        return endNs;
    };
    const auto alike = touchesNs(0, 1);
    EXPECT_THAT(alike, testing::Each(alike[0]));
    const auto spread = touchesNs(0.1, 1);
    EXPECT_NE(spread[0], spread[1]);
    EXPECT_EQ(spread, touchesNs(0.1, 1));
    EXPECT_NE(spread, touchesNs(0.1, 2));
}

// What the GPU wrote is not in the reader's cache.
TEST_F(VirtualEngineTest, ResultsThatTheDeviceWroteAreReadMoreSlowly)
{
    DeviceProfile profile = m_profile;
    profile.hostMemcpyBytesPerSecond = 1e9;
    profile.hostMemcpyWarmBytesPerSecond = 10e9;
    profile.lastLevelCacheBytes = 64 * kMiB;
    VirtualEngine engine(profile, {64ll << 30, 0});
    const StreamId stream = engine.addStream("s");
    const ActorId actor = engine.addActor("main");
    std::int64_t againNs = 0, arrivedNs = 0;
    const auto body = [&]() -> Task {
        const auto from = BufferId(
            static_cast<std::uint32_t>(co_await Await(engine, actor, op::Allocate{MemoryKind::Pinned, 1'000'000})));
        const auto to = BufferId(
            static_cast<std::uint32_t>(co_await Await(engine, actor, op::Allocate{MemoryKind::Pageable, 1'000'000})));
        engine.startClock();
        co_await Await(engine, actor, op::HostCopy{{}, from, to});
        std::int64_t startNs = engine.nowNs();
        co_await Await(engine, actor, op::HostCopy{{}, from, to});
        againNs = engine.nowNs() - startNs;
        co_await Await(engine, actor, op::Copy{EventKind::CopyD2H, stream, from, 1'000'000, false});
        startNs = engine.nowNs();
        co_await Await(engine, actor, op::HostCopy{{}, from, to});
        arrivedNs = engine.nowNs() - startNs;
    };
    engine.spawn(actor, body());
    ASSERT_TRUE(engine.run().ok());
    EXPECT_EQ(againNs, 100'000);
    EXPECT_NEAR(static_cast<double>(arrivedNs), 1e5 * std::pow(10.0, 0.4), 10);
}

// Small page-locked blocks are cut out of a chunk, which is paid for once.
TEST_F(VirtualEngineTest, SmallPinnedBlocksShareAChunkOfTheDriver)
{
    DeviceProfile profile = m_profile;
    profile.hostAllocChunkBytes = 2 * kMiB;
    profile.hostAllocCost = CostTable({{4096, 800'000.0}, {2 * kMiB, 800'000.0}});
    profile.hostFreeCost = CostTable({{4096, 300'000.0}});
    VirtualEngine engine(profile, {64ll << 30, 0});
    const ActorId actor = engine.addActor("main");
    std::vector<std::int64_t> costsNs;
    const auto body = [&]() -> Task {
        std::vector<BufferId> blocks;
        for (int block = 0; block < 3; ++block) {
            const std::int64_t startNs = engine.nowNs();
            blocks.emplace_back(static_cast<std::uint32_t>(
                co_await Await(engine, actor, op::Allocate{MemoryKind::Pinned, kMiB - 4096})));
            costsNs.push_back(engine.nowNs() - startNs);
        }
        for (const BufferId block : blocks) {
            const std::int64_t startNs = engine.nowNs();
            co_await Await(engine, actor, op::Free{block});
            costsNs.push_back(engine.nowNs() - startNs);
        }
    };
    engine.spawn(actor, body());
    ASSERT_TRUE(engine.run().ok());
    EXPECT_THAT(costsNs, ElementsAre(800'000, 10, 800'000, 10, testing::Ge(300'000), testing::Ge(300'000)));
}

TEST_F(VirtualEngineTest, MemoryIsUnlockedOnlyOnceTheDeviceIsIdle)
{
    const StreamId stream = m_engine.addStream("s");
    runActor([&](ActorId actor) -> Task {
        const BufferId buffer(static_cast<std::uint32_t>(co_await on(actor, op::Allocate{MemoryKind::Pageable, kMiB})));
        co_await on(actor, op::Register{buffer});
        m_engine.startClock();
        co_await on(actor, op::Launch{{}, stream, op::KernelLoad::Full, 3'000'000});
        co_await on(actor, op::Unregister{buffer});
        EXPECT_GE(m_engine.nowNs(), 3'000'000);
    });
}

}  // namespace
}  // namespace overlane
