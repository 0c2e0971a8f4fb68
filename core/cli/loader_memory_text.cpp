#include "core/cli/loader_memory_text.h"

#include <fmt/format.h>

#include "core/content/terminal.h"
#include "core/loader/loader_memory_blocks.h"

namespace overlane
{
namespace
{

std::string_view fitName(MemoryFit fit)
{
    switch (fit) {
        case MemoryFit::Fits:
            return "fits";
        case MemoryFit::DropsCache:
            return "drops_cache";
        case MemoryFit::Swaps:
            return "swaps";
        case MemoryFit::TooMuch:
            break;
    }
    return "too_much";
}

}  // namespace

LoaderMemoryReport loaderMemoryReport(const Scenario& scenario, const DeviceProfile& device, const MemoryParts& here)
{
    LoaderMemoryReport report{scenario, device.workerProcessBytes, usualMachines(device)};
    report.machines.push_back(
        {"this machine", here.totalBytes, here.swapTotalBytes, here.totalBytes - here.availableBytes, 0});
    return report;
}

std::string loaderMemoryText(const LoaderMemoryReport& report)
{
    const LoaderMemory memory = loaderMemory(report.scenario, report.workerProcessBytes);
    std::string text = "\nLoader: " + terminalText(loaderMemoryBlocks(memory));
    for (const MachineSize& machine : report.machines) {
        const Scenario lowered = loweredToFit(report.scenario, report.workerProcessBytes, machine);
        const std::string change = loweringText(report.scenario, lowered);
        text += wrapText(fmt::format("{}: {}{}{}", machine.name, fitLoader(memory, machine).sentence,
                                     change.empty() ? "" : " ", change),
                         "  ");
    }
    return text;
}

OrderedJson loaderMemoryJson(const LoaderMemoryReport& report)
{
    const LoaderMemory memory = loaderMemory(report.scenario, report.workerProcessBytes);
    OrderedJson json{{"pinned_bytes", memory.pinnedBytes},
                     {"pageable_bytes", memory.pageableBytes},
                     {"rounding_bytes", memory.roundingBytes}};
    json["parts"] = OrderedJson::array();
    for (const MemoryPart& part : memory.parts)
        json["parts"].push_back(
            {{"what", part.what}, {"count", part.count}, {"each_bytes", part.eachBytes}, {"pinned", part.pinned}});
    json["machines"] = OrderedJson::array();
    for (const MachineSize& machine : report.machines) {
        const MemoryFitting fitting = fitLoader(memory, machine);
        const Scenario lowered = loweredToFit(report.scenario, report.workerProcessBytes, machine);
        json["machines"].push_back({{"name", machine.name},
                                    {"ram_bytes", machine.ramBytes},
                                    {"fit", fitName(fitting.fit)},
                                    {"left_bytes", fitting.leftBytes},
                                    {"swapped_bytes", fitting.swappedBytes},
                                    {"pinned_share", fitting.pinnedShare},
                                    {"sentence", fitting.sentence},
                                    {"lower", loweringText(report.scenario, lowered)}});
    }
    return json;
}

}  // namespace overlane
