// SimulatedMachine: what a run says of the machine beyond its device profile. Plain data.
#pragma once

#include <cstdint>

#include "core/simulation/memory_model.h"

namespace overlane
{

struct SimulatedMachine {
    MemoryModel::Sizes memory;
    std::int64_t cores = 0;            // of all NUMA nodes together; 0: the profile's
    std::int64_t gpuNode = 0;          // NUMA node the GPU is attached to
    std::int64_t launchQueue = 0;      // operations after which a call that queues one blocks; 0: the profile's
    std::int64_t readyBlockBytes = 0;  // pageable blocks of this size hold data before the run
    std::int64_t readyBlocks = 0;
    std::uint64_t seed = 0;  // of how its threads differ, where the profile says that they do
};

}  // namespace overlane
