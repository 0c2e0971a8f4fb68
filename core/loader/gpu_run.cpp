#include "core/loader/gpu_run.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/loader/loader.h"
#include "core/loader/settings.h"

namespace overlane
{
namespace
{

// As many blocks as a loader holds at once: with workers and in queues, in hand, on the device.
std::int64_t blocksInFlight(const Scenario& scenario)
{
    return std::min(scenario.batches, scenario.workers * scenario.prefetchFactor + scenario.deviceBuffers + 2);
}

}  // namespace

Result<GpuRunResult> runOnGpu(const Scenario& scenario, GpuBackend& backend, const GpuRunOptions& options,
                              Progress* progress)
{
    if (const auto checked = checkScenario(scenario); !checked.ok())
        return Error{checked.error()};
    const std::vector<GpuDevice> devices = backend.devices();
    const auto device = std::find_if(devices.begin(), devices.end(),
                                     [&](const GpuDevice& candidate) { return candidate.index == options.device; });
    if (device == devices.end())
        return Error{fmt::format("There is no GPU {} here; this process may use {}.", options.device, devices.size())};

    GpuEngineOptions engineOptions;
    engineOptions.device = options.device;
    engineOptions.progress = progress;
    if (options.force)
        engineOptions.lockedShareLimit = 0;
    if (scenario.produceUs == 0 && scenario.pin != PinStrategy::Ring) {
        engineOptions.readyBlockBytes = scenario.batchBytes;
        engineOptions.readyBlocks = blocksInFlight(scenario);
    }
    auto made = backend.createEngine(engineOptions);
    if (!made.ok())
        return Error{made.error()};
    GpuEngine& engine = *made.value();
    const Loader loader(scenario, engine, 0, progress);
    if (const auto ended = engine.run(); !ended.ok())
        return Error{ended.error()};

    GpuRunResult result;
    result.report = engine.report();
    result.run.wallNs = loader.wallNs();
    result.run.pinnedPeakBytes = result.report.pinnedPeakBytes;
    TraceMetadata metadata;
    metadata.format = "measured";
    metadata.title = scenario.name;
    metadata.scenarioJson = scenarioToJson(scenario);
    metadata.properties["device"] = device->name;
    auto trace = engine.takeTrace(std::move(metadata));
    if (!trace.ok())
        return Error{trace.error()};
    result.run.trace = std::move(trace).value();
    if (progress)
        progress->report(1);
    return result;
}

}  // namespace overlane
