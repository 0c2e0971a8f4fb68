#include "core/loader/gpu_run.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/loader/loader.h"
#include "core/loader/ready_memory.h"
#include "core/loader/settings.h"

namespace overlane
{

Result<GpuRunResult> runOnGpu(const Scenario& scenario, GpuBackend& backend, const GpuRunOptions& options,
                              Progress* progress)
{
    RETURN_IF_ERROR(checkScenario(scenario));
    if (scenario.runAhead > 0)
        return Error{"run_ahead is the driver's own on a real GPU: leave it at 0, or simulate."};
    const std::vector<GpuDevice> devices = backend.devices();
    const auto device = std::find_if(devices.begin(), devices.end(),
                                     [&](const GpuDevice& candidate) { return candidate.index == options.device; });
    if (device == devices.end())
        return Error{fmt::format("There is no GPU {} here; this process may use {}.", options.device, devices.size())};

    GpuEngineOptions engineOptions;
    engineOptions.device = options.device;
    engineOptions.progress = progress;
    engineOptions.spoolDirectory = options.spoolDirectory;
    if (options.force)
        engineOptions.lockedShareLimit = 0;
    const ReadyMemory ready = readyMemory(scenario);
    engineOptions.readyBlockBytes = ready.blockBytes;
    engineOptions.readyBlocks = ready.blocks;
    if (scenario.files != Files::Timed) {
        engineOptions.fileRead = fileRead(scenario.files);
        engineOptions.filePartBytes = bytesReadPerBatch(scenario);
        engineOptions.fileBytes = engineOptions.filePartBytes * scenario.batches;
    }
    ASSIGN_OR_RETURN(auto made, backend.createEngine(engineOptions));
    GpuEngine& engine = *made;
    const Loader loader(scenario, engine, 0, progress);
    RETURN_IF_ERROR(engine.run());

    GpuRunResult result;
    result.report = engine.report();
    result.report.placement.gpuNode = device->numaNode;
    result.wallNs = loader.wallNs();
    result.device = device->name;
    if (progress)
        progress->report(1);
    return result;
}

}  // namespace overlane
