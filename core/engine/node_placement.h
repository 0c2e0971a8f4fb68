// NodePlacement: how a machine's NUMA nodes and a GPU lie to each other, as a run on it found them.
//
// Data and one sentence for people; pure. Rates in bytes per second.
#pragma once

#include <string>
#include <vector>

namespace overlane
{

struct NodePlacement {
    int nodes = 1;
    int gpuNode = -1;  // that the GPU hangs on; -1: the system does not say
    // Pinned copies to the device from memory of each node, in order of the nodes; empty with one node.
    std::vector<double> copyBytesPerSecond;
};

// "GPU on node 1; copies to it 55.2 GB/s from node 1, 41.0 GB/s (26 % less) from node 0."
std::string placementText(const NodePlacement& placement);

}  // namespace overlane
