#include "core/loader/pinned_calculator.h"

#include <gtest/gtest.h>

#include "core/base/units.h"
#include "core/loader/presets.h"
#include "core/loader/run.h"
#include "core/loader/settings.h"
#include "tests/support/expect_text.h"

namespace overlane
{
namespace
{

const DeviceProfile& device()
{
    return *findDeviceProfile("h200");
}

// Workers that are fast and a training loop that is slow, so that everything outstanding is pinned.
Scenario slowLoop(PinStrategy pin)
{
    Scenario scenario;
    scenario.pin = pin;
    scenario.batches = 64;
    scenario.batchBytes = 3 * kMiB;  // each tensor is rounded: 1.5 MiB take 2
    scenario.tensors = 2;
    scenario.workers = 4;
    scenario.prefetchFactor = 3;
    scenario.produceUs = 100;
    scenario.produceSpread = 0;
    scenario.computeUs = 40'000;
    scenario.nonBlocking = true;
    scenario.copyStream = CopyStream::Side;
    scenario.deviceBuffers = 3;
    return scenario;
}

std::int64_t calculated(const Scenario& scenario)
{
    return loaderMemory(scenario, device().workerProcessBytes).pinnedBytes;
}

std::int64_t simulated(const Scenario& scenario)
{
    const auto run = simulate(scenario, device());
    EXPECT_TRUE(run.ok()) << run.error();
    return run.ok() ? run.value().pinnedPeakBytes : -1;
}

TEST(PinnedCalculator, PinThreadHoldsAllThatIsOutstandingRounded)
{
    const Scenario scenario = slowLoop(PinStrategy::Thread);
    const LoaderMemory memory = loaderMemory(scenario, 0);
    EXPECT_EQ(memory.batchPinnedBytes, 4 * kMiB);
    EXPECT_EQ(memory.pinnedBytes, (4L * 3 + 1 + 3) * 4 * kMiB);
    EXPECT_EQ(memory.roundingBytes, memory.pinnedBytes / 4);
    EXPECT_EQ(memory.pageableBytes, (4L * 3 + 1) * 3 * kMiB);
    std::int64_t pinned = 0, pageable = 0;
    for (const MemoryPart& part : memory.parts)
        (part.pinned ? pinned : pageable) += part.bytes();
    EXPECT_EQ(pinned, memory.pinnedBytes);
    EXPECT_EQ(pageable, memory.pageableBytes);
}

TEST(PinnedCalculator, WithoutPinningNothingIsPinned)
{
    const LoaderMemory memory = loaderMemory(slowLoop(PinStrategy::None), kGiB);
    EXPECT_EQ(memory.pinnedBytes, 0);
    EXPECT_EQ(memory.pageableBytes, 4 * kGiB + 13L * 3 * kMiB);
}

TEST(PinnedCalculator, SimulationReachesWhatIsCalculatedWhereTheLoopIsSlow)
{
    for (const PinStrategy pin :
         {PinStrategy::Thread, PinStrategy::Consumer, PinStrategy::Ring, PinStrategy::Register}) {
        for (const bool nonBlocking : {true, false}) {
            for (const Allocator allocator : {Allocator::Pool, Allocator::Fresh}) {
                Scenario scenario = slowLoop(pin);
                scenario.nonBlocking = nonBlocking;
                scenario.allocator = allocator;
                const std::int64_t peak = simulated(scenario);
                const std::int64_t most = calculated(scenario);
                const std::int64_t batch = loaderMemory(scenario, 0).batchPinnedBytes;
                EXPECT_LE(peak, most) << static_cast<int>(pin) << nonBlocking << static_cast<int>(allocator);
                // Copies of a slow loop are long done: of those that may be in flight, all but one may be missing.
                EXPECT_GE(peak, most - scenario.deviceBuffers * batch)
                    << static_cast<int>(pin) << nonBlocking << static_cast<int>(allocator);
            }
        }
    }
}

TEST(PinnedCalculator, ARingIsExact)
{
    const Scenario scenario = slowLoop(PinStrategy::Ring);
    EXPECT_EQ(simulated(scenario), calculated(scenario));
}

TEST(PinnedCalculator, NoScenarioPinsMoreThanIsCalculated)
{
    std::uint64_t random = 12345;
    const auto next = [&random](std::int64_t below) {
        random = random * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<std::int64_t>((random >> 33) % static_cast<std::uint64_t>(below));
    };
    for (int round = 0; round < 300; ++round) {
        Scenario scenario;
        scenario.batches = 1 + next(40);
        scenario.batchBytes = 1 + next(8 * kMiB) + 4096;
        scenario.tensors = 1 + next(5);
        scenario.workers = next(5);
        scenario.prefetchFactor = 1 + next(4);
        scenario.produceUs = static_cast<double>(next(4000));
        scenario.pin = static_cast<PinStrategy>(next(5));
        scenario.allocator = static_cast<Allocator>(next(2));
        scenario.nonBlocking = next(2) == 1;
        scenario.copyStream = static_cast<CopyStream>(next(2));
        scenario.streams = 1 + next(3);
        scenario.deviceBuffers = 1 + next(4);
        scenario.computeUs = static_cast<double>(next(4000));
        scenario.resultBytes = next(3) == 0 ? next(kMiB) : 0;
        scenario.syncEveryStep = next(4) == 0;
        EXPECT_LE(simulated(scenario), calculated(scenario)) << scenarioToJson(scenario);
    }
}

TEST(PinnedCalculator, ShortRunsNeedNoMoreThanTheirBatches)
{
    Scenario scenario = slowLoop(PinStrategy::Thread);
    scenario.batches = 5;
    EXPECT_EQ(calculated(scenario), 5L * 4 * kMiB);
}

LoaderMemory needing(std::int64_t pinned, std::int64_t pageable)
{
    LoaderMemory memory;
    memory.pinnedBytes = pinned;
    memory.pageableBytes = pageable;
    return memory;
}

TEST(FitLoader, GoesFromHarmlessToImpossible)
{
    const MachineSize machine{"16 GB", 16 * kGiB, 4 * kGiB, 4 * kGiB, 6 * kGiB};
    const auto fit = [&](std::int64_t pinned, std::int64_t pageable) {
        return fitLoader(needing(pinned * kGiB, pageable * kGiB), machine);
    };
    EXPECT_EQ(fit(2, 3).fit, MemoryFit::Fits);
    EXPECT_EQ(fit(3, 5).fit, MemoryFit::DropsCache);
    EXPECT_EQ(fit(3, 5).cacheBytes, 4 * kGiB);
    EXPECT_EQ(fit(6, 8).fit, MemoryFit::Swaps);
    EXPECT_EQ(fit(6, 8).swappedBytes, 2 * kGiB);
    EXPECT_EQ(fit(6, 11).fit, MemoryFit::TooMuch);
    // Pinned memory itself cannot be swapped, however large the swap.
    EXPECT_EQ(fitLoader(needing(17 * kGiB, 0), {"", 16 * kGiB, 64 * kGiB, 0, 0}).fit, MemoryFit::TooMuch);
    EXPECT_TRUE(fit(9, 0).pinnedTooLarge);
    test::expectText(fit(9, 0).sentence);
}

TEST(LoweredToFit, TakesPrefetchFirstThenWorkers)
{
    Scenario scenario = slowLoop(PinStrategy::Thread);
    scenario.batchBytes = 256 * kMiB;
    scenario.workers = 8;
    scenario.prefetchFactor = 6;
    scenario.batches = 1000;
    const MachineSize machine{"16 GB", 16 * kGiB, 8 * kGiB, 3 * kGiB, 4 * kGiB};
    const Scenario lowered = loweredToFit(scenario, 100 * kMiB, machine);
    EXPECT_LT(lowered.prefetchFactor, 6);
    EXPECT_EQ(lowered.workers, 8);
    EXPECT_LE(fitLoader(loaderMemory(lowered, 100 * kMiB), machine).fit, MemoryFit::DropsCache);
    Scenario oneMore = lowered;
    ++oneMore.prefetchFactor;
    const MemoryFitting more = fitLoader(loaderMemory(oneMore, 100 * kMiB), machine);
    EXPECT_TRUE(more.fit > MemoryFit::DropsCache || more.pinnedTooLarge);
    test::expectText(loweringText(scenario, lowered));

    scenario.batchBytes = kGiB;
    const Scenario fewer = loweredToFit(scenario, 100 * kMiB, machine);
    EXPECT_EQ(fewer.prefetchFactor, 1);
    EXPECT_LT(fewer.workers, 8);
    EXPECT_EQ(loweredToFit(fewer, 100 * kMiB, machine), fewer);
    EXPECT_EQ(loweringText(fewer, fewer), "");
}

TEST(UsualMachines, AreTheSizesPeopleBuy)
{
    const auto machines = usualMachines(*findDeviceProfile("rtx3060_laptop"));
    ASSERT_EQ(machines.size(), 3u);
    EXPECT_EQ(machines[0].ramBytes, 16 * kGiB);
    EXPECT_EQ(machines[2].name, "64 GB");
}

// The preset says so, and simulation agrees.
TEST(UsualMachines, TheLaptopPresetSwapsOnItsMachine)
{
    for (const Preset& preset : allPresets()) {
        if (preset.key != "laptop_swaps")
            continue;
        const DeviceProfile& laptop = *findDeviceProfile(preset.device);
        const LoaderMemory memory = loaderMemory(preset.scenario, laptop.workerProcessBytes);
        const MachineSize machine{"", laptop.ramBytes, laptop.swapBytes, laptop.usedRamBytes, laptop.datasetBytes};
        EXPECT_GE(fitLoader(memory, machine).fit, MemoryFit::Swaps);
        const Scenario lowered = loweredToFit(preset.scenario, laptop.workerProcessBytes, machine);
        const auto run = simulate(lowered, laptop);
        ASSERT_TRUE(run.ok());
        EXPECT_EQ(run.value().swapPeakBytes, 0);
    }
}

}  // namespace
}  // namespace overlane
