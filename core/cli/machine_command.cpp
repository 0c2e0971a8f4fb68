#include <chrono>
#include <thread>

#include "core/cli/command.h"
#include "core/cli/info_text.h"
#include "core/cli/machine_text.h"
#include "core/cli/scenario_options.h"
#include "core/engine/gpu_backend_library.h"
#include "core/system/gpu_support.h"

namespace overlane
{
namespace
{

// Between two readings, from which rates are made.
constexpr auto kBetweenReadings = std::chrono::milliseconds(500);

std::int64_t nowNs()
{
    return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

void measureRates(MachineReport& report)
{
    const auto backend = loadGpuBackend();
    if (!backend.ok()) {
        report.unmeasured.push_back(backend.error());
        return;
    }
    for (const GpuDevice& device : backend.value()->devices()) {
        const auto placement = backend.value()->placement(device.index);
        if (placement.ok())
            report.placements.emplace_back(device.name + " (" + device.pciAddress + ")", placement.value());
        else
            report.unmeasured.push_back(placement.error());
    }
}

MachineReport look(bool measure)
{
    MachineReport report;
    MemoryWatch watch;
    watch.read(nowNs());
    std::this_thread::sleep_for(kBetweenReadings);
    report.memory = watch.read(nowNs());
    report.topology = readNumaTopology();
    const GpuSupport support = detectGpuSupport();
    report.gpuState = support.sentence;
    if (measure && support.state == GpuSupport::State::Ready && report.topology.nodes.size() > 1)
        measureRates(report);
    return report;
}

std::string machineHelp()
{
    return R"(Memory is shown in parts that add up to the RAM, with warnings where it is running short and what
to lower first. With more than one NUMA node, the distances of the firmware, the node each GPU is
on, the rate of copies from each node where there is a GPU to measure with, and the numactl line that
keeps a program's workers and pinned memory near its GPU.

With the settings of a loader (--preset, --set), also how much of its memory is pinned, part by
part, how that fits machines of 16, 32 and 64 GB and this one, and what to lower first.

Examples:
  overlane machine
  overlane machine --json | jq -r .numactl
  overlane machine --set pin=thread --set workers=8 --set prefetch_factor=4 --set batch_bytes=256MiB

)" + std::string(kExitCodesHelp);
}

CommandAction declareMachine(OptionList& list)
{
    struct MachineOptions {
        bool json = false;
        bool measure = true;
        ScenarioOptions loader;
    };
    auto options = std::make_shared<MachineOptions>();
    list.flag("--json", options->json, "Print JSON with stable keys instead of text");
    list.flag("!--no-measure", options->measure, "Do not measure the rates of copies from each NUMA node");
    list.add("--device", options->loader.device, "Device profile whose machine the loader is used to").type("NAME");
    list.add("--preset", options->loader.preset, "Loader to calculate with (`overlane run --list`)").type("NAME");
    list.add("--set", options->loader.settings, "Change one of its settings: key=value; may be repeated")
        .one()
        .type("KEY=VALUE");
    return [options](CommandOutput to) {
        const ScenarioOptions& loader = options->loader;
        const bool asksForLoader = !loader.device.empty() || !loader.preset.empty() || !loader.settings.empty();
        const auto chosen = chooseScenario(loader);
        if (!chosen.ok())
            return fail(chosen.failure(), to, kExitUsage);
        MachineReport report = look(options->measure);
        if (asksForLoader)
            report.loader = loaderMemoryReport(chosen.value().scenario, *chosen.value().device, report.memory.parts);
        to.out << (options->json ? toText(machineJson(report)) : machineText(report));
        return kExitOk;
    };
}

}  // namespace

constinit const Command machineCommand = {"machine",
                                          "Show this machine's memory, NUMA nodes and GPUs, and the line to bind with.",
                                          machineHelp, declareMachine};

}  // namespace overlane
