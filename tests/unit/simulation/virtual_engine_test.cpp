#include "core/simulation/virtual_engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/units.h"
#include "tests/support/expect_text.h"
#include "tests/unit/simulation/virtual_engine_fixture.h"

namespace overlane
{
namespace
{

using test::VirtualEngineTest;
using testing::ElementsAre;

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
    test::expectText(names(EventKind::HostBlocked));
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

TEST_F(VirtualEngineTest, CopiesOfOneDirectionSerializeAndBothDirectionsShareTheLink)
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
    test::expectText(names(EventKind::HostBlocked));
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
    test::expectText(names(EventKind::Instant));
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
    test::expectText(pairs);
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
