#include "tests/support/faulty_engine.h"

#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/units.h"
#include "core/simulation/virtual_engine.h"
#include "tests/support/expect_text.h"

namespace overlane
{
namespace
{

class FaultyEngineTest : public testing::Test
{
protected:
    Result<void> runActor(std::vector<Fault> faults, const std::function<Task(Engine&, ActorId)>& body)
    {
        FaultyEngine engine(m_world, m_progress, std::move(faults));
        const ActorId actor = engine.addActor("main");
        engine.spawn(actor, body(engine, actor));
        return engine.run();
    }

    const DeviceProfile& m_profile = *findDeviceProfile("h200");
    Progress m_progress;
    VirtualEngine m_world{m_profile, {{64ll << 30, 0}}, &m_progress};
};

TEST_F(FaultyEngineTest, TheNthOfItsKindFailsAndItsActorGoesNoFurther)
{
    int allocated = 0;
    const auto ended =
        runActor({{Fault::At::Allocation, Fault::What::Fail, 3}}, [&](Engine& engine, ActorId actor) -> Task {
            for (; allocated < 5; ++allocated) {
                co_await Await(engine, actor, op::Allocate{MemoryKind::Pinned, kMiB});
                co_await Await(engine, actor, op::Work{{}, 1000});
            }
        });
    ASSERT_FALSE(ended.ok());
    test::expectText(ended.error());
    EXPECT_EQ(allocated, 2);
    EXPECT_EQ(m_world.memory().lockedBytes(), 0);
    EXPECT_EQ(m_world.pinnedPeakBytes(), 2 * kMiB);
}

TEST_F(FaultyEngineTest, ADelayComesBeforeTheOperationAndKeepsItsResult)
{
    std::int64_t buffer = -1, startedNs = 0;
    const auto ended =
        runActor({{Fault::At::Allocation, Fault::What::Delay, 2, 5000}}, [&](Engine& engine, ActorId actor) -> Task {
            co_await Await(engine, actor, op::Allocate{MemoryKind::Pageable, kMiB});
            startedNs = engine.nowNs();
            buffer = co_await Await(engine, actor, op::Allocate{MemoryKind::Pageable, kMiB});
        });
    ASSERT_TRUE(ended.ok()) << ended.error();
    EXPECT_EQ(buffer, 1);
    EXPECT_EQ(m_world.nowNs(), startedNs + 5000 + m_profile.mallocCost.costNs(kMiB));
}

TEST_F(FaultyEngineTest, ALostDeviceFailsWhateverNeedsItNext)
{
    const StreamId stream = m_world.addStream("s");
    const auto ended =
        runActor({{Fault::At::Device, Fault::What::Fail, 2}}, [&](Engine& engine, ActorId actor) -> Task {
            co_await Await(engine, actor, op::Launch{{}, stream, op::KernelLoad::Full, 1000});
            co_await Await(engine, actor, op::Work{{}, 10});
            co_await Await(engine, actor, op::SyncDevice{});
        });
    ASSERT_FALSE(ended.ok());
    test::expectText(ended.error());
}

TEST_F(FaultyEngineTest, CancellingEndsTheRunAsCancelled)
{
    const auto ended =
        runActor({{Fault::At::Any, Fault::What::Cancel, 100}}, [&](Engine& engine, ActorId actor) -> Task {
            for (;;)
                co_await Await(engine, actor, op::Work{{}, 10});
        });
    ASSERT_FALSE(ended.ok());
    EXPECT_TRUE(ended.isCancelled());
}

}  // namespace
}  // namespace overlane
