#include "cupti/engine/node_binding.h"

#include <algorithm>
#include <linux/mempolicy.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/base/text_file.h"
#include "core/system/numa_topology.h"

namespace overlane
{
namespace
{

constexpr int kNodesInMask = 64;

std::string nodeFile(const std::string& system, const std::string& file)
{
    return system + "/devices/system/node/" + file;
}

}  // namespace

int numaNodeCount(const std::string& system)
{
    return std::max(1, static_cast<int>(parseNumberList(textOfFile(nodeFile(system, "online"))).size()));
}

Result<void> bindThreadToNode(int node, const std::string& system)
{
    if (node < 0)
        return {};
    const std::string path = nodeFile(system, "node" + std::to_string(node) + "/cpulist");
    const Result<std::string> list = readTextFile(path);
    if (node >= kNodesInMask || !list.ok())
        return Error{"This machine has no NUMA node " + std::to_string(node) + " (" + path + ")."};
    cpu_set_t processors;
    CPU_ZERO(&processors);
    for (const int processor : parseNumberList(list.value()))
        if (processor < CPU_SETSIZE)
            CPU_SET(processor, &processors);
    if (CPU_COUNT(&processors) > 0 && sched_setaffinity(0, sizeof(processors), &processors) != 0)
        return Error{"A thread could not be bound to NUMA node " + std::to_string(node) +
                     ": its processors are not open to this process (see taskset -p)."};
    const unsigned long mask = 1ul << node;
    if (syscall(SYS_set_mempolicy, MPOL_BIND, &mask, kNodesInMask + 1) != 0)
        return Error{"Memory could not be bound to NUMA node " + std::to_string(node) + "."};
    return {};
}

}  // namespace overlane
