// NumaTopology: how the machine's memory, processors and GPUs lie to each other, as the kernel tells.
//
// Read from /sys/devices/system/node (cpulist, distance, meminfo), /sys/bus/pci/devices (class,
// vendor, numa_node, link) and what this process may use from /proc/self/status; see the kernel's
// Documentation/ABI/stable/sysfs-devices-node and numa(7). Distances are the firmware's, 10 for a
// node's own memory. Plain data and pure functions beside the one that reads; bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace overlane
{

struct NumaNode {
    int id = 0;
    std::vector<int> processors;  // empty for memory without processors
    int cores = 0;                // physical ones, as far as the kernel tells; else the processors
    int socket = -1;              // of its first processor; -1: not told
    std::int64_t totalBytes = 0;
    std::int64_t freeBytes = 0;
    std::vector<int> distances;  // to each node, in order of NumaTopology::nodes
};

struct NumaGpu {
    int index = 0;        // in order of the PCI address, as with CUDA_DEVICE_ORDER=PCI_BUS_ID
    std::string address;  // "0000:41:00.0"
    std::string name;     // the driver's, or the maker's
    bool nvidia = false;
    int node = -1;          // -1: the system does not say
    int linkWidth = 0;      // lanes in use; 0: not told
    std::string linkSpeed;  // "32.0 GT/s PCIe"
    int widestLink = 0;     // lanes it could use

    std::string linkText() const;  // "x8 of x16, 32.0 GT/s PCIe"; empty where it is not told
};

struct NumaTopology {
    std::vector<NumaNode> nodes;  // at least one, in order of their ids
    std::vector<NumaGpu> gpus;
    // What this process may use, where a container or taskset leaves it less than everything.
    std::vector<int> allowedProcessors;
    std::vector<int> allowedNodes;

    const NumaNode* find(int id) const;  // nullptr where there is none
    // Of the same order as `nodes`; -1 where the kernel does not tell.
    int distance(std::size_t from, std::size_t to) const;
};

// Another root than / only for tests.
NumaTopology readNumaTopology(const std::string& root = "/");

// "0-3,8" -> 0 1 2 3 8; what cannot be read ends the list.
std::vector<int> parseNumberList(std::string_view text);
// 0 1 2 3 8 -> "0-3,8".
std::string numberListText(const std::vector<int>& numbers);

// How to start a program beside a GPU, or why there is nothing to bind.
struct NumaBinding {
    int processorNode = -1;   // to bind processors to; -1: none
    int memoryNode = -1;      // to bind memory to; -1: none
    std::string commandLine;  // "numactl --cpunodebind=1 --membind=1 python train.py"; empty: nothing to bind
    std::string sentence;     // for people, always
};
// For the GPU of that index, or for a machine without one.
NumaBinding numaBinding(const NumaTopology& topology, std::optional<int> gpuIndex);

}  // namespace overlane
