#include "core/cli/machine_text.h"

#include <fmt/format.h>

#include "core/content/terminal.h"
#include "core/system/numa_tables.h"

namespace overlane
{
namespace
{

constexpr std::string_view kIndent = "  ";

std::string_view levelName(WarningLevel level)
{
    switch (level) {
        case WarningLevel::Alarm:
            return "alarm";
        case WarningLevel::Warning:
            return "warning";
        case WarningLevel::Note:
            break;
    }
    return "note";
}

std::string memoryText(const MachineMemoryView& view)
{
    const MemoryParts& parts = view.parts;
    Facts facts{{{"RAM", bytesCell(parts.totalBytes)},
                 {"processes", bytesCell(parts.processBytes)},
                 {"shared memory", bytesCell(parts.sharedBytes)},
                 {"kernel and drivers", bytesCell(parts.kernelBytes)},
                 {"page cache", bytesCell(parts.pageCacheBytes)},
                 {"free", bytesCell(parts.freeBytes)},
                 {"available", bytesCell(parts.availableBytes)}}};
    const Facts shortage = shortageFacts(view);
    facts.rows.insert(facts.rows.end(), shortage.rows.begin(), shortage.rows.end());
    return "Memory\n" + terminalText(facts) +
           wrapText("What CUDA pins, the kernel does not tell apart: it counts as shared memory, or as the driver's.",
                    kIndent);
}

std::string gpusText(const MachineReport& report)
{
    std::string text = "\nGPUs\n" + terminalText(gpuTable(report.topology));
    text += wrapText(report.gpuState, kIndent);
    for (const auto& [name, placement] : report.placements)
        text += wrapText(fmt::format("{}: {}.", name, placementText(placement)), kIndent);
    for (const std::string& reason : report.unmeasured)
        text += wrapText(reason, kIndent);
    return text;
}

std::string bindingsText(const NumaTopology& topology)
{
    std::string text = "\nTo start a program near its GPU\n";
    const auto add = [&](std::optional<int> gpu) {
        const NumaBinding binding = numaBinding(topology, gpu);
        text += wrapText(binding.sentence, kIndent);
        if (!binding.commandLine.empty())
            text += "    " + binding.commandLine + '\n';
    };
    if (topology.gpus.empty() || topology.nodes.size() == 1)
        add(std::nullopt);
    else
        for (const NumaGpu& gpu : topology.gpus)
            add(gpu.index);
    return text;
}

std::string warningsText(const MachineMemoryView& view)
{
    std::string text = "\nWarnings\n";
    const std::vector<MemoryWarning> warnings = memoryWarnings(view);
    for (const MemoryWarning& warning : warnings)
        text += wrapText(fmt::format("{}: {} {}", levelName(warning.level), warning.what, warning.doThis), kIndent);
    return warnings.empty() ? text + "  none: nothing is swapped and no thread waits for memory\n" : text;
}

}  // namespace

std::string machineText(const MachineReport& report)
{
    return memoryText(report.memory) + warningsText(report.memory) + "\n" + terminalText(nodeTable(report.topology)) +
           gpusText(report) + bindingsText(report.topology) + (report.loader ? loaderMemoryText(*report.loader) : "");
}

OrderedJson machineJson(const MachineReport& report)
{
    const MemoryParts& parts = report.memory.parts;
    OrderedJson json;
    json["memory"] = {{"ram_bytes", parts.totalBytes},
                      {"process_bytes", parts.processBytes},
                      {"shared_bytes", parts.sharedBytes},
                      {"kernel_bytes", parts.kernelBytes},
                      {"page_cache_bytes", parts.pageCacheBytes},
                      {"free_bytes", parts.freeBytes},
                      {"available_bytes", parts.availableBytes},
                      {"locked_bytes", parts.lockedBytes},
                      {"swap_bytes", parts.swapTotalBytes},
                      {"swap_used_bytes", parts.swapUsedBytes},
                      {"swap_bytes_per_second", report.memory.swapBytesPerSecond},
                      {"major_faults_per_second", report.memory.majorFaultsPerSecond},
                      {"pressure_some_percent", report.memory.pressureSomePercent},
                      {"pressure_full_percent", report.memory.pressureFullPercent},
                      {"pressure_known", report.memory.hasPressure}};
    json["warnings"] = OrderedJson::array();
    for (const MemoryWarning& warning : memoryWarnings(report.memory))
        json["warnings"].push_back({{"level", levelName(warning.level)},
                                    {"key", warning.key},
                                    {"what", warning.what},
                                    {"do", warning.doThis}});
    json["nodes"] = OrderedJson::array();
    for (const NumaNode& node : report.topology.nodes)
        json["nodes"].push_back({{"id", node.id},
                                 {"socket", node.socket},
                                 {"cores", node.cores},
                                 {"processors", numberListText(node.processors)},
                                 {"memory_bytes", node.totalBytes},
                                 {"free_bytes", node.freeBytes},
                                 {"distances", node.distances}});
    json["gpus"] = OrderedJson::array();
    for (const NumaGpu& gpu : report.topology.gpus) {
        const NumaBinding binding = numaBinding(report.topology, gpu.index);
        json["gpus"].push_back({{"index", gpu.index},
                                {"name", gpu.name},
                                {"address", gpu.address},
                                {"node", gpu.node},
                                {"link_width", gpu.linkWidth},
                                {"link_width_max", gpu.widestLink},
                                {"link_speed", gpu.linkSpeed},
                                {"numactl", binding.commandLine},
                                {"sentence", binding.sentence}});
    }
    json["gpu_state"] = report.gpuState;
    json["placements"] = OrderedJson::array();
    for (const auto& [name, placement] : report.placements)
        json["placements"].push_back({{"name", name},
                                      {"nodes", placement.nodes},
                                      {"gpu_node", placement.gpuNode},
                                      {"copy_bytes_per_second", placement.copyBytesPerSecond},
                                      {"sentence", placementText(placement)}});
    const NumaBinding machine =
        numaBinding(report.topology, report.topology.gpus.empty() ? std::nullopt : std::optional(0));
    json["numactl"] = machine.commandLine;
    json["binding"] = machine.sentence;
    if (report.loader)
        json["loader"] = loaderMemoryJson(*report.loader);
    return json;
}

}  // namespace overlane
