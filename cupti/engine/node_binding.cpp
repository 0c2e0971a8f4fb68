#include "cupti/engine/node_binding.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <linux/mempolicy.h>
#include <sched.h>
#include <string_view>
#include <sys/syscall.h>
#include <unistd.h>

namespace overlane
{
namespace
{

constexpr int kNodesInMask = 64;

bool parseNumber(std::string_view text, int& number)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() && number >= 0 && number < CPU_SETSIZE;
}

}  // namespace

std::vector<int> parseProcessorList(const std::string& text)
{
    std::vector<int> processors;
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::string_view part = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), part.size() + 1));
        const std::size_t dash = part.find('-');
        int first = 0, last = 0;
        if (!parseNumber(part.substr(0, dash), first))
            return {};
        last = first;
        if (dash != std::string_view::npos && !parseNumber(part.substr(dash + 1), last))
            return {};
        for (int processor = first; processor <= last; ++processor)
            processors.push_back(processor);
    }
    return processors;
}

int numaNodeCount(const std::string& system)
{
    std::ifstream file(system + "/devices/system/node/online");
    std::string list;
    std::getline(file, list);
    return std::max(1, static_cast<int>(parseProcessorList(list).size()));
}

Result<void> bindThreadToNode(int node, const std::string& system)
{
    if (node < 0)
        return {};
    const std::string path = system + "/devices/system/node/node" + std::to_string(node) + "/cpulist";
    std::ifstream file(path);
    std::string list;
    if (node >= kNodesInMask || !std::getline(file, list))
        return Error{"This machine has no NUMA node " + std::to_string(node) + " (" + path + ")."};
    cpu_set_t processors;
    CPU_ZERO(&processors);
    for (const int processor : parseProcessorList(list))
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
