// Prints what the CUDA engine finds of NUMA nodes: how many there are, the one the GPU is on, and how fast
// pinned memory of each reaches the GPU. Usage: node_rates [DEVICE]
#include "cupti/engine/node_rates.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime_api.h>

#include "core/engine/node_placement.h"
#include "core/system/pci_device.h"
#include "cupti/engine/node_binding.h"

int main(int argc, char** argv)
{
    const int device = argc > 1 ? std::atoi(argv[1]) : 0;
    std::array<char, 32> address{};
    if (cudaDeviceGetPCIBusId(address.data(), static_cast<int>(address.size()), device) != cudaSuccess) {
        std::fprintf(stderr, "no GPU %d\n", device);
        return 1;
    }
    overlane::NodePlacement placement{overlane::numaNodeCount(), overlane::nodeOfPciDevice(address.data()), {}};
    auto rates = overlane::copyRatesOfNodes(device, placement.nodes);
    if (!rates.ok()) {
        std::fprintf(stderr, "%s\n", rates.error().c_str());
        return 1;
    }
    placement.copyBytesPerSecond = rates.value();
    for (std::size_t node = 0; node < rates.value().size(); ++node)
        std::printf("node%zu_gb_s=%.2f\n", node, rates.value()[node] / 1e9);
    std::printf("nodes=%d gpu_node=%d\n%s\n", placement.nodes, placement.gpuNode,
                overlane::placementText(placement).c_str());
    return 0;
}
