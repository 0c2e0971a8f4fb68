// How to start a program beside a GPU.
#include <algorithm>

#include "core/system/numa_topology.h"

namespace overlane
{
namespace
{

// The node nearest to `from` that `fits`; -1 where none does.
template <typename Fits>
int nearest(const NumaTopology& topology, std::size_t from, Fits fits)
{
    int best = -1;
    int bestDistance = 0;
    for (std::size_t at = 0; at < topology.nodes.size(); ++at) {
        const int distance = at == from ? 0 : topology.distance(from, at);
        if (fits(topology.nodes[at]) && (best < 0 || distance < bestDistance)) {
            best = topology.nodes[at].id;
            bestDistance = distance;
        }
    }
    return best;
}

bool mayUse(const std::vector<int>& allowed, int number)
{
    return allowed.empty() || std::find(allowed.begin(), allowed.end(), number) != allowed.end();
}

// numactl refuses a node whose processors are closed to it.
bool opens(const NumaTopology& topology, const NumaNode& node)
{
    return std::any_of(node.processors.begin(), node.processors.end(),
                       [&](int processor) { return mayUse(topology.allowedProcessors, processor); });
}

std::string chosenGpu(const NumaTopology& topology, const NumaGpu& gpu)
{
    const auto nvidia =
        std::count_if(topology.gpus.begin(), topology.gpus.end(), [](const NumaGpu& other) { return other.nvidia; });
    if (!gpu.nvidia || nvidia < 2)
        return {};
    return "CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_VISIBLE_DEVICES=" + std::to_string(gpu.index) + ' ';
}

NumaBinding besideGpu(const NumaTopology& topology, const NumaGpu& gpu)
{
    NumaBinding binding;
    const NumaNode* const own = topology.find(gpu.node);
    if (!own) {
        binding.sentence = gpu.name + " at " + gpu.address + ": the system does not say which of the " +
                           std::to_string(topology.nodes.size()) +
                           " nodes it is attached to. `nvidia-smi topo -m` may know; else compare the rates of copies "
                           "from each node.";
        return binding;
    }
    const auto from = static_cast<std::size_t>(own - topology.nodes.data());
    binding.processorNode = nearest(topology, from, [&](const NumaNode& node) { return opens(topology, node); });
    binding.memoryNode = nearest(topology, from, [&](const NumaNode& node) {
        return node.totalBytes > 0 && !node.processors.empty() && mayUse(topology.allowedNodes, node.id);
    });
    if (binding.processorNode < 0 || binding.memoryNode < 0) {
        binding = {};
        binding.sentence =
            "This process may use no node with processors and memory; ask those who set up its container.";
        return binding;
    }
    const std::string processors = std::to_string(binding.processorNode);
    const std::string memory = std::to_string(binding.memoryNode);
    binding.commandLine =
        chosenGpu(topology, gpu) + "numactl --cpunodebind=" + processors + " --membind=" + memory + " python train.py";
    binding.sentence = gpu.name + " is attached to node " + std::to_string(gpu.node);
    if (binding.processorNode == gpu.node && binding.memoryNode == gpu.node)
        binding.sentence += ": processors and memory of that node keep workers, pin thread and pinned memory near it.";
    else
        binding.sentence += ", of which this process may not use everything; processors of node " + processors +
                            " and memory of node " + memory + " are the nearest that it may.";
    return binding;
}

}  // namespace

NumaBinding numaBinding(const NumaTopology& topology, std::optional<int> gpuIndex)
{
    NumaBinding binding;
    if (topology.nodes.size() == 1) {
        binding.sentence = "One node: where memory lies makes no difference, and there is nothing to bind.";
        return binding;
    }
    for (const NumaGpu& gpu : topology.gpus)
        if (gpu.index == gpuIndex)
            return besideGpu(topology, gpu);
    binding.sentence = std::to_string(topology.nodes.size()) +
                       " nodes and no GPU: bind a loader and what reads its memory to the same node, whichever it is.";
    return binding;
}

}  // namespace overlane
