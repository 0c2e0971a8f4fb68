#include "core/loader/ready_memory.h"

#include <algorithm>

namespace overlane
{
namespace
{

constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;

// With workers and in queues, in hand, on the device.
std::int64_t blocksInFlight(const Scenario& scenario)
{
    return scenario.workers * scenario.prefetchFactor + scenario.deviceBuffers + 2;
}

bool producesNothing(const Scenario& scenario)
{
    return scenario.produceUs == 0 && scenario.readUs == 0 && scenario.transformUs == 0 &&
           scenario.files == Files::Timed;
}

}  // namespace

ReadyMemory readyMemory(const Scenario& scenario)
{
    if (!producesNothing(scenario) || scenario.pin == PinStrategy::Ring)
        return {};
    const std::int64_t blocks = std::max(blocksInFlight(scenario), kMostBytes / scenario.batchBytes);
    return {scenario.batchBytes, std::min(scenario.batches, blocks)};
}

}  // namespace overlane
