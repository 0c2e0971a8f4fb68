// The machine's NUMA nodes and GPUs as tables (core/content/block.h).
//
// Pure functions, any thread.
#pragma once

#include "core/content/block.h"
#include "core/system/numa_topology.h"

namespace overlane
{

// A row for each node, in their order, with its distances to all.
Table nodeTable(const NumaTopology& topology);
Table gpuTable(const NumaTopology& topology);

}  // namespace overlane
