// What `overlane machine` prints: memory, NUMA nodes, GPUs, warnings, and the line to bind with.
//
// Pure functions, any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/cli/device_figures.h"
#include "core/cli/loader_memory_text.h"
#include "core/engine/node_placement.h"
#include "core/system/machine_memory.h"
#include "core/system/numa_topology.h"

namespace overlane
{

struct MachineReport {
    MachineMemoryView memory;
    NumaTopology topology;
    std::string gpuState;  // one sentence: what this machine offers for real runs
    // As measured, by GPU in CUDA's order; empty where nothing was measured.
    std::vector<std::pair<std::string, NodePlacement>> placements;
    std::vector<std::string> unmeasured;  // why
    std::optional<LoaderMemoryReport> loader;
};

std::string machineText(const MachineReport& report);
OrderedJson machineJson(const MachineReport& report);

}  // namespace overlane
