// Keeps the calling thread, and the memory it touches first, on one NUMA node.
//
// Linux: sched_setaffinity and set_mempolicy(MPOL_BIND), as numactl --cpunodebind --membind does;
// the processors of a node come from /sys/devices/system/node. Applies to the calling thread and
// lasts until it ends. Node -1 changes nothing.
#pragma once

#include <string>

#include "core/base/result.h"

namespace overlane
{

// `system` is where the kernel describes the machine.
Result<void> bindThreadToNode(int node, const std::string& system = "/sys");

// Of this machine, at least 1.
int numaNodeCount(const std::string& system = "/sys");

}  // namespace overlane
