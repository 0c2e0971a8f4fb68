#include "core/system/numa_topology.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <set>
#include <sstream>

#include "core/base/text_file.h"
#include "core/system/proc_text.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

constexpr int kMostNumbers = 1 << 16;

std::string textOf(const std::string& path)
{
    std::string text = textOfFile(path);
    while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
        text.pop_back();
    return text;
}

int numberIn(const std::string& path, int otherwise)
{
    std::ifstream file(path);
    int number = otherwise;
    return file >> number ? number : otherwise;
}

// "Node 1 MemTotal:       263921152 kB"
std::int64_t nodeBytes(const std::string& meminfo, const std::string& key)
{
    const std::size_t at = meminfo.find(key);
    return at == std::string::npos ? 0 : numberAfter(meminfo.substr(at), key).value_or(0) * kBytesPerKb;
}

void readProcessors(const std::string& system, NumaNode& node)
{
    std::set<std::pair<int, int>> cores;
    for (const int processor : node.processors) {
        const std::string folder = system + "/cpu/cpu" + std::to_string(processor) + "/topology/";
        const int socket = numberIn(folder + "physical_package_id", -1);
        if (processor == node.processors.front())
            node.socket = socket;
        const int core = numberIn(folder + "core_id", -1);
        cores.insert(core < 0 ? std::pair(-1, processor) : std::pair(socket, core));
    }
    node.cores = static_cast<int>(cores.size());
}

NumaNode readNode(const std::string& system, int id)
{
    NumaNode node;
    node.id = id;
    const std::string folder = system + "/node/node" + std::to_string(id);
    node.processors = parseNumberList(textOf(folder + "/cpulist"));
    const std::string meminfo = textOf(folder + "/meminfo");
    node.totalBytes = nodeBytes(meminfo, "MemTotal:");
    node.freeBytes = nodeBytes(meminfo, "MemFree:");
    std::istringstream distances(textOf(folder + "/distance"));
    for (int distance = 0; distances >> distance;)
        node.distances.push_back(distance);
    readProcessors(system, node);
    return node;
}

// A kernel built without NUMA, or a sandbox that hides it: one node with everything.
NumaNode wholeMachine(const std::string& root)
{
    NumaNode node;
    node.processors = parseNumberList(textOf(root + "sys/devices/system/cpu/online"));
    const std::string meminfo = textOf(root + "proc/meminfo");
    node.totalBytes = nodeBytes(meminfo, "MemTotal:");
    node.freeBytes = nodeBytes(meminfo, "MemFree:");
    node.distances = {10};
    readProcessors(root + "sys/devices/system", node);
    return node;
}

constexpr std::string_view kNvidia = "0x10de";

std::string makerOf(const std::string& vendor)
{
    if (vendor == kNvidia)
        return "NVIDIA GPU";
    if (vendor == "0x1002")
        return "AMD GPU";
    return vendor == "0x8086" ? "Intel GPU" : "";
}

// "Model: \t\t NVIDIA H200"
std::string driverName(const std::string& root, const std::string& address)
{
    const std::string text = textOf(root + "proc/driver/nvidia/gpus/" + address + "/information");
    const std::size_t at = text.find("Model:");
    if (at == std::string::npos)
        return {};
    const std::size_t first = text.find_first_not_of(" \t", at + 6);
    return first == std::string::npos ? "" : text.substr(first, text.find('\n', first) - first);
}

std::vector<NumaGpu> readGpus(const std::string& root)
{
    std::vector<NumaGpu> gpus;
    std::error_code error;
    const std::string devices = root + "sys/bus/pci/devices";
    for (auto at = fs::directory_iterator(devices, error); !error && at != fs::directory_iterator();
         at.increment(error)) {
        const std::string folder = at->path().string() + '/';
        const std::string vendor = textOf(folder + "vendor");
        // Display controllers: 0x0300 VGA, 0x0302 without a display.
        if (!textOf(folder + "class").starts_with("0x03") || makerOf(vendor).empty())
            continue;
        NumaGpu gpu;
        gpu.address = at->path().filename().string();
        gpu.nvidia = vendor == kNvidia;
        gpu.name = gpu.nvidia ? driverName(root, gpu.address) : "";
        if (gpu.name.empty())
            gpu.name = makerOf(vendor);
        gpu.node = numberIn(folder + "numa_node", -1);
        gpu.linkWidth = numberIn(folder + "current_link_width", 0);
        gpu.widestLink = numberIn(folder + "max_link_width", 0);
        gpu.linkSpeed = textOf(folder + "current_link_speed");
        gpus.push_back(gpu);
    }
    std::sort(gpus.begin(), gpus.end(), [](const NumaGpu& a, const NumaGpu& b) {
        return std::pair(!a.nvidia, a.address) < std::pair(!b.nvidia, b.address);
    });
    for (std::size_t index = 0; index < gpus.size(); ++index)
        gpus[index].index = static_cast<int>(index);
    return gpus;
}

// "Mems_allowed_list:\t0-1"
std::vector<int> allowed(const std::string& status, const std::string& key)
{
    const std::size_t at = status.find(key);
    if (at == std::string::npos)
        return {};
    const std::size_t first = status.find_first_not_of(" \t", at + key.size());
    return parseNumberList(std::string_view(status).substr(first, status.find('\n', first) - first));
}

}  // namespace

std::vector<int> parseNumberList(std::string_view text)
{
    std::vector<int> numbers;
    while (!text.empty()) {
        const std::string_view part = text.substr(0, text.find(','));
        text.remove_prefix(std::min(text.size(), part.size() + 1));
        int first = 0;
        auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), first);
        int last = first;
        if (error == std::errc{} && end != part.data() + part.size() && *end == '-')
            error = std::from_chars(end + 1, part.data() + part.size(), last).ec;
        if (error != std::errc{} || first < 0 || last < first || last >= kMostNumbers)
            return numbers;
        for (int number = first; number <= last; ++number)
            numbers.push_back(number);
    }
    return numbers;
}

std::string numberListText(const std::vector<int>& numbers)
{
    std::string text;
    for (std::size_t first = 0, last = 0; first < numbers.size(); first = last + 1) {
        last = first;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
            ++last;
        text += (text.empty() ? "" : ",") + std::to_string(numbers[first]);
        if (last > first)
            text += '-' + std::to_string(numbers[last]);
    }
    return text;
}

std::string NumaGpu::linkText() const
{
    if (linkWidth <= 0)
        return {};
    return widestLink > linkWidth ? fmt::format("x{} of x{}, {}", linkWidth, widestLink, linkSpeed)
                                  : fmt::format("x{}, {}", linkWidth, linkSpeed);
}

const NumaNode* NumaTopology::find(int id) const
{
    const auto found = std::find_if(nodes.begin(), nodes.end(), [id](const NumaNode& node) { return node.id == id; });
    return found == nodes.end() ? nullptr : &*found;
}

int NumaTopology::distance(std::size_t from, std::size_t to) const
{
    return from < nodes.size() && to < nodes[from].distances.size() ? nodes[from].distances[to] : -1;
}

NumaTopology readNumaTopology(const std::string& root)
{
    NumaTopology topology;
    const std::string system = root + "sys/devices/system";
    for (const int id : parseNumberList(textOf(system + "/node/online")))
        topology.nodes.push_back(readNode(system, id));
    if (topology.nodes.empty())
        topology.nodes.push_back(wholeMachine(root));
    topology.gpus = readGpus(root);
    const std::string status = textOf(root + "proc/self/status");
    topology.allowedProcessors = allowed(status, "Cpus_allowed_list:");
    topology.allowedNodes = allowed(status, "Mems_allowed_list:");
    return topology;
}

}  // namespace overlane
