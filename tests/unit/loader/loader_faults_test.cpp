// What a loader does when its world breaks: it ends, with one sentence, and leaves no memory behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/loader/loader.h"
#include "core/simulation/virtual_engine.h"
#include "tests/support/expect_text.h"
#include "tests/support/faulty_engine.h"

namespace overlane
{
namespace
{

using testing::HasSubstr;

Scenario scenarioWith(PinStrategy pin, std::int64_t workers, Allocator allocator)
{
    Scenario scenario;
    scenario.batches = 10;
    scenario.batchBytes = 1 << 20;
    scenario.workers = workers;
    scenario.pin = pin;
    scenario.allocator = allocator;
    scenario.nonBlocking = true;
    scenario.copyStream = CopyStream::Side;
    scenario.resultBytes = 1 << 16;
    return scenario;
}

struct Outcome {
    bool ok = false;
    std::string error;
    std::int64_t wallNs = 0;
    std::int64_t memoryBytes = 0;  // still allocated, locked or not
    std::int64_t operations = 0;
};

Outcome runWith(const Scenario& scenario, std::vector<Fault> faults)
{
    const DeviceProfile& device = *findDeviceProfile("h200");
    Progress progress;
    VirtualEngine world(device, {{device.ramBytes, 0}}, &progress);
    FaultyEngine engine(world, progress, std::move(faults));
    const Loader loader(scenario, engine, device.workerProcessBytes, &progress);
    const auto ended = engine.run();
    return {ended.ok(), ended.ok() ? "" : ended.error(), loader.wallNs(), world.memory().processBytes(),
            engine.operations()};
}

void forEachLoader(const std::function<void(const Scenario&)>& test)
{
    for (const PinStrategy pin :
         {PinStrategy::None, PinStrategy::Thread, PinStrategy::Consumer, PinStrategy::Ring, PinStrategy::Register})
        for (const std::int64_t workers : {0, 3})
            for (const Allocator allocator : {Allocator::Fresh, Allocator::Pool})
                test(scenarioWith(pin, workers, allocator));
}

// Every operation of every kind of loader, one after the other.
TEST(LoaderFaultsTest, WhateverFailsTheRunEndsWithThatErrorAndNothingAllocated)
{
    forEachLoader([](const Scenario& scenario) {
        const std::int64_t operations = runWith(scenario, {}).operations;
        ASSERT_GT(operations, 50);
        for (std::int64_t number = 1; number <= operations; ++number) {
            const Outcome outcome = runWith(scenario, {{Fault::At::Any, Fault::What::Fail, number}});
            ASSERT_FALSE(outcome.ok) << number;
            ASSERT_THAT(outcome.error, HasSubstr("failed")) << number;
            ASSERT_EQ(outcome.memoryBytes, 0) << number;
        }
    });
}

TEST(LoaderFaultsTest, CancellingAtAnyTimeEndsTheRun)
{
    forEachLoader([](const Scenario& scenario) {
        const std::int64_t operations = runWith(scenario, {}).operations;
        for (std::int64_t number = 1; number <= operations; ++number) {
            const Outcome outcome = runWith(scenario, {{Fault::At::Any, Fault::What::Cancel, number}});
            if (outcome.ok)  // it had ended before it could notice
                continue;
            ASSERT_EQ(outcome.error, Error::cancelled().message) << number;
            ASSERT_EQ(outcome.memoryBytes, 0) << number;
        }
        EXPECT_EQ(runWith(scenario, {{Fault::At::Any, Fault::What::Cancel, 1}}).error, Error::cancelled().message);
    });
}

TEST(LoaderFaultsTest, EachKindOfFaultSaysWhatBroke)
{
    const Scenario scenario = scenarioWith(PinStrategy::Thread, 2, Allocator::Fresh);
    test::expectText(runWith(scenario, {{Fault::At::Allocation, Fault::What::Fail, 8}}).error);
    test::expectText(runWith(scenario, {{Fault::At::Copy, Fault::What::Fail, 3}}).error);
    test::expectText(runWith(scenario, {{Fault::At::Launch, Fault::What::Fail, 2}}).error);
    test::expectText(runWith(scenario, {{Fault::At::Device, Fault::What::Fail, 30}}).error);
    // The first of two is the one that is told.
    EXPECT_THAT(
        runWith(scenario, {{Fault::At::Launch, Fault::What::Fail, 5}, {Fault::At::Copy, Fault::What::Fail, 1}}).error,
        HasSubstr("cudaMemcpyAsync"));
}

TEST(LoaderFaultsTest, AFaultThatNeverStrikesChangesNothing)
{
    const Scenario scenario = scenarioWith(PinStrategy::Thread, 2, Allocator::Pool);
    const Outcome plain = runWith(scenario, {});
    EXPECT_TRUE(plain.ok) << plain.error;
    const Outcome spared = runWith(scenario, {{Fault::At::Copy, Fault::What::Fail, 1'000'000}});
    EXPECT_TRUE(spared.ok);
    EXPECT_EQ(spared.wallNs, plain.wallNs);
    EXPECT_EQ(spared.operations, plain.operations);
}

// Delays strike each operation in turn: the run gets longer or stays as it was, and always ends.
TEST(LoaderFaultsTest, ADelayedOperationHoldsTheRunUpAndNoMore)
{
    constexpr std::int64_t kDelayNs = 50'000'000;
    forEachLoader([](const Scenario& scenario) {
        const Outcome plain = runWith(scenario, {});
        std::int64_t longestNs = 0;
        for (std::int64_t number = 1; number <= plain.operations; ++number) {
            const Outcome outcome = runWith(scenario, {{Fault::At::Any, Fault::What::Delay, number, kDelayNs}});
            ASSERT_TRUE(outcome.ok) << number << ": " << outcome.error;
            ASSERT_LE(outcome.wallNs, plain.wallNs + kDelayNs + 1'000'000) << number;
            longestNs = std::max(longestNs, outcome.wallNs);
        }
        EXPECT_GT(longestNs, plain.wallNs + kDelayNs / 2);
    });
}

}  // namespace
}  // namespace overlane
