#include "core/loader/pinned_calculator.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/base/units.h"
#include "core/loader/pinned_pool.h"

namespace overlane
{
namespace
{

constexpr double kPinnedShareLimit = 0.5;

bool usesBlocks(const Scenario& scenario)
{
    return scenario.pin == PinStrategy::Thread || scenario.pin == PinStrategy::Consumer;
}

std::int64_t pinnedBytesOfBatch(const Scenario& scenario)
{
    if (usesBlocks(scenario) && scenario.allocator == Allocator::Pool)
        return PinnedPool::roundedBytes(scenario.batchBytes, scenario.tensors);
    return scenario.batchBytes;
}

class Tally
{
public:
    explicit Tally(const Scenario& scenario) : m_scenario(scenario), m_left(scenario.batches) {}

    // No more batches than the run has exist at once.
    void batches(const char* what, std::int64_t count, std::int64_t eachBytes, bool pinned)
    {
        count = std::min(count, m_left);
        m_left -= count;
        add(what, count, eachBytes, pinned);
    }
    void add(const char* what, std::int64_t count, std::int64_t eachBytes, bool pinned)
    {
        if (count > 0 && eachBytes > 0)
            m_memory.parts.push_back({what, count, eachBytes, pinned});
    }
    // Counts anew: the same batches in another kind of memory.
    void again() { m_left = m_scenario.batches; }

    LoaderMemory take()
    {
        for (const MemoryPart& part : m_memory.parts)
            (part.pinned ? m_memory.pinnedBytes : m_memory.pageableBytes) += part.bytes();
        return std::move(m_memory);
    }

private:
    const Scenario& m_scenario;
    std::int64_t m_left;
    LoaderMemory m_memory;
};

void pinnedBatches(const Scenario& scenario, std::int64_t eachBytes, Tally& tally)
{
    const std::int64_t outstanding = scenario.workers * scenario.prefetchFactor;
    const std::int64_t copied = scenario.nonBlocking ? scenario.deviceBuffers : 1;
    const char* const unfinished = "copies that may still read them";
    switch (scenario.pin) {
        case PinStrategy::None:
            return;
        case PinStrategy::Ring:
            tally.batches("ring: a slot per outstanding batch", outstanding, eachBytes, true);
            tally.batches("ring: in hand", 1, eachBytes, true);
            tally.batches("ring: in flight to the device", scenario.deviceBuffers, eachBytes, true);
            return;
        case PinStrategy::Thread:
            tally.batches("behind the pin thread: workers x prefetch_factor", outstanding, eachBytes, true);
            break;
        case PinStrategy::Consumer:
        case PinStrategy::Register:
            break;
    }
    tally.batches("in the training loop's hand", 1, eachBytes, true);
    tally.batches(unfinished, copied, eachBytes, true);
}

}  // namespace

LoaderMemory loaderMemory(const Scenario& scenario, std::int64_t workerProcessBytes)
{
    const std::int64_t pinnedEach = pinnedBytesOfBatch(scenario);
    const std::int64_t outstanding = scenario.workers * scenario.prefetchFactor;
    const bool pinned = scenario.pin != PinStrategy::None;
    Tally tally(scenario);
    pinnedBatches(scenario, pinnedEach, tally);
    tally.again();
    // A ring is filled in place; registered batches are the workers' own memory.
    if (scenario.pin != PinStrategy::Ring) {
        tally.batches("from the workers, in shared memory", outstanding, scenario.batchBytes, false);
        if (scenario.pin != PinStrategy::Register)
            tally.batches("being copied or pinned", 1, scenario.batchBytes, false);
    }
    tally.add("results", scenario.resultBytes > 0 ? scenario.deviceBuffers : 0, scenario.resultBytes, pinned);
    tally.add("result being read", scenario.resultBytes > 0 ? 1 : 0, scenario.resultBytes, false);
    tally.add("worker processes", scenario.workers, workerProcessBytes, false);
    LoaderMemory memory = tally.take();
    memory.batchPinnedBytes = pinned ? pinnedEach : 0;
    for (const MemoryPart& part : memory.parts)
        if (part.pinned && part.eachBytes == pinnedEach)
            memory.roundingBytes += part.count * (pinnedEach - scenario.batchBytes);
    return memory;
}

MemoryFitting fitLoader(const LoaderMemory& memory, const MachineSize& machine)
{
    MemoryFitting result;
    const std::int64_t needed = machine.usedBytes + memory.totalBytes();
    const std::int64_t room = machine.ramBytes - needed;
    result.leftBytes = std::max<std::int64_t>(0, room);
    result.cacheBytes = std::min(machine.datasetBytes, result.leftBytes);
    result.swappedBytes = std::max<std::int64_t>(0, -room);
    result.pinnedShare =
        static_cast<double>(memory.pinnedBytes) / static_cast<double>(std::max<std::int64_t>(1, machine.ramBytes));
    result.pinnedTooLarge = result.pinnedShare > kPinnedShareLimit;
    const std::int64_t swappable = std::min(machine.swapBytes, needed - memory.pinnedBytes);
    if (result.swappedBytes > swappable) {
        result.fit = MemoryFit::TooMuch;
        result.swappedBytes = 0;
        result.sentence = fmt::format(
            "Does not fit at its peak: {} next to the {} in use are more than {} of RAM and {} of swap hold.",
            formatBytes(memory.totalBytes()), formatBytes(machine.usedBytes), formatBytes(machine.ramBytes),
            formatBytes(machine.swapBytes));
    } else if (result.swappedBytes > 0) {
        result.fit = MemoryFit::Swaps;
        result.sentence = fmt::format("Swaps: {} in use go to the drive, and the page cache is gone.",
                                      formatBytes(result.swappedBytes));
    } else if (result.cacheBytes < machine.datasetBytes) {
        result.fit = MemoryFit::DropsCache;
        result.sentence = fmt::format(
            "Fits, but of the {} of files that the profile assumes, the page cache holds {}. The rest is read from the "
            "drive in every epoch.",
            formatBytes(machine.datasetBytes), formatBytes(result.cacheBytes));
    } else {
        result.sentence = fmt::format("Fits, with {} to spare.", formatBytes(result.leftBytes - result.cacheBytes));
    }
    if (result.pinnedTooLarge && result.fit != MemoryFit::TooMuch)
        result.sentence += fmt::format(" Pinned memory alone is {:.0f} % of the RAM, which every other program feels.",
                                       100 * result.pinnedShare);
    return result;
}

Scenario loweredToFit(const Scenario& scenario, std::int64_t workerProcessBytes, const MachineSize& machine)
{
    const auto fits = [&](const Scenario& candidate) {
        const MemoryFitting fitting = fitLoader(loaderMemory(candidate, workerProcessBytes), machine);
        return fitting.fit <= MemoryFit::DropsCache && !fitting.pinnedTooLarge;
    };
    if (fits(scenario))
        return scenario;
    Scenario lowered = scenario;
    while (lowered.prefetchFactor > 1) {
        --lowered.prefetchFactor;
        if (fits(lowered))
            return lowered;
    }
    while (lowered.workers > 1) {
        --lowered.workers;
        if (fits(lowered))
            return lowered;
    }
    lowered.pin = PinStrategy::None;
    return fits(lowered) ? lowered : scenario;
}

std::string loweringText(const Scenario& from, const Scenario& to)
{
    std::string text;
    const auto add = [&text](const std::string& change) { text += (text.empty() ? "Lower " : " and ") + change; };
    if (to.prefetchFactor < from.prefetchFactor)
        add(fmt::format("prefetch_factor from {} to {}", from.prefetchFactor, to.prefetchFactor));
    if (to.workers < from.workers)
        add(fmt::format("workers from {} to {}", from.workers, to.workers));
    if (to.pin != from.pin)
        text += text.empty() ? "Leave pinning off" : ", and leave pinning off";
    return text.empty() ? text : text + '.';
}

std::vector<MachineSize> usualMachines(const DeviceProfile& profile)
{
    std::vector<MachineSize> machines;
    for (const std::int64_t size : {16, 32, 64})
        machines.push_back({fmt::format("{} GB", size), size * kGiB, profile.swapBytes,
                            std::min(profile.usedRamBytes, size * kGiB), profile.datasetBytes});
    return machines;
}

}  // namespace overlane
