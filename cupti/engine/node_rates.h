// How fast pinned memory of each NUMA node reaches a GPU: the price of memory on the wrong node.
//
// Blocks for some tens of milliseconds a node, on threads of its own that are bound to the nodes. Takes
// 64 MiB of pinned memory and of the device's at a time, and gives both back.
#pragma once

#include <vector>

#include "core/base/result.h"

namespace overlane
{

// Bytes per second of copies to the device, the best of a few, in order of the nodes.
Result<std::vector<double>> copyRatesOfNodes(int device, int nodes);

}  // namespace overlane
