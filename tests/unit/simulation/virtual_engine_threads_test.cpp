#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <new>

#include "core/base/units.h"
#include "tests/unit/simulation/virtual_engine_fixture.h"

namespace overlane
{
namespace
{

using testing::ElementsAre;

// How threads hand over, wait and are woken.
class VirtualEngineThreadsTest : public test::VirtualEngineTest
{
};

TEST_F(VirtualEngineThreadsTest, QueuesAreFirstInFirstOutAndClose)
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

TEST_F(VirtualEngineThreadsTest, AnActorThatWaitsForeverIsAnError)
{
    const QueueId queue = m_engine.addQueue("q");
    const ActorId actor = m_engine.addActor("main");
    const auto body = [&]() -> Task { co_await on(actor, op::Take{queue, {}}); };
    m_engine.spawn(actor, body());
    EXPECT_FALSE(m_engine.run().ok());
}

// Whoever waited longer sleeps deeper.
TEST_F(VirtualEngineThreadsTest, WakingTakesTheLongerTheWaitWas)
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
TEST_F(VirtualEngineThreadsTest, ThreadsAreAsleepWhenTheRunStartsAndWakingThemIsACall)
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
TEST_F(VirtualEngineThreadsTest, EqualThreadsAreUnequallyFastWhereTheProfileSaysSo)
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

// Memory that runs out inside an actor is for the caller of the run to tell, not the end of the process.
TEST_F(VirtualEngineThreadsTest, WhatAnActorThrowsLeavesTheRun)
{
    const ActorId actor = m_engine.addActor("main");
    const auto inner = [&]() -> Task {
        co_await on(actor, op::Work{{}, 1'000});
        throw std::bad_alloc();
    };
    const auto body = [&]() -> Task {
        const BufferId kept(static_cast<std::uint32_t>(co_await on(actor, op::Allocate{MemoryKind::Pinned, kMiB})));
        co_await inner();
        co_await on(actor, op::Free{kept});
    };
    m_engine.spawn(actor, body());
    EXPECT_THROW(static_cast<void>(m_engine.run()), std::bad_alloc);
}

}  // namespace
}  // namespace overlane
