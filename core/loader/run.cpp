#include "core/loader/run.h"

#include <fmt/format.h>

#include "core/loader/loader.h"
#include "core/loader/ready_memory.h"
#include "core/loader/settings.h"
#include "core/simulation/virtual_engine.h"
#include "core/trace/trace_origin.h"

namespace overlane
{

Result<RunResult> simulate(const Scenario& scenario, const DeviceProfile& device, Progress* progress)
{
    RETURN_IF_ERROR(checkScenario(scenario, device));

    SimulatedMachine machine;
    machine.memory = {scenario.ramBytes > 0 ? scenario.ramBytes : device.ramBytes,
                      scenario.swapBytes >= 0 ? scenario.swapBytes : device.swapBytes, scenario.otherBytes};
    machine.cores = scenario.cores;
    machine.gpuNode = scenario.gpuNode;
    machine.launchQueue = scenario.runAhead;
    machine.seed = scenario.seed;
    const ReadyMemory ready = readyMemory(scenario);
    machine.readyBlockBytes = ready.blockBytes;
    machine.readyBlocks = ready.blocks;
    VirtualEngine engine(device, machine, progress);
    const Loader loader(scenario, engine, device.workerProcessBytes, progress);
    RETURN_IF_ERROR(engine.run());

    RunResult result;
    result.wallNs = loader.wallNs();
    result.pinnedPeakBytes = engine.pinnedPeakBytes();
    result.swapPeakBytes = engine.swapPeakBytes();
    TraceMetadata& metadata = engine.metadata();
    metadata.title = scenario.name;
    metadata.scenarioJson = scenarioToJson(scenario);
    metadata.properties["device"] = device.key;
    metadata.properties["setup_ns"] = fmt::format("{}", engine.setupNs());
    if (device.threadSpread > 0)
        metadata.properties[kThreadSpread] = fmt::format("{}", device.threadSpread);
    result.trace = engine.takeTrace();
    if (progress)
        progress->report(1);
    return result;
}

}  // namespace overlane
