#include "cupti/calibrate/calibrate.h"

#include <array>
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "core/devices/calibration_limits.h"
#include "core/system/memory_status.h"
#include "core/system/pci_device.h"
#include "core/system/proc_file.h"
#include "core/system/processor_facts.h"
#include "cupti/calibrate/cuda_resources.h"
#include "cupti/calibrate/steps.h"
#include "cupti/engine/node_binding.h"

namespace overlane
{
namespace
{

struct Step {
    const char* doing;
    double share;  // of the time, as on a machine with 128 GiB
    void (*probe)(ProbeRun&);
    const char* misses;  // the probe that a failure is told of
};

constexpr std::array kSteps{
    Step{"calls of the CUDA runtime", 0.03, probeCalls, "launch_call"},
    Step{"the order of copies and kernels", 0.03, probeOrder, "dependency"},
    Step{"the link", 0.06, probeLink, "both_directions"},
    Step{"copies by size", 0.17, probeCopies, "copy_event"},
    Step{"staging of pageable copies", 0.02, probeStaging, "inline_copy"},
    Step{"kernels beside copies", 0.04, probeKernels, "kernel_alone"},
    Step{"pinned memory", 0.25, probePinnedMemory, "host_alloc"},
    Step{"pageable memory", 0.25, probePageableMemory, "first_touch"},
    Step{"memory of the host", 0.08, probeHostRates, "memcpy"},
    Step{"threads", 0.05, probeThreads, "fresh_pages"},
    Step{"NUMA nodes", 0.02, probeNodes, "node_memcpy"},
};

MachineFacts factsOf(int device)
{
    MachineFacts facts;
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
    facts.gpu = properties.name;
    facts.deviceMemoryBytes = static_cast<std::int64_t>(properties.totalGlobalMem);
    std::array<char, 32> address{};
    check(cudaDeviceGetPCIBusId(address.data(), static_cast<int>(address.size()), device), "cudaDeviceGetPCIBusId");
    facts.pciAddress = address.data();
    cudaDriverGetVersion(&facts.driverVersion);
    cudaRuntimeGetVersion(&facts.runtimeVersion);
    const ProcessorFacts processor = processorFacts();
    facts.processor = processor.name;
    facts.cores = processor.cores;
    facts.lastLevelCacheBytes = processor.lastLevelCacheBytes;
    facts.nodes = numaNodeCount();
    facts.gpuNode = nodeOfPciDevice(facts.pciAddress);
    const MachineMemory memory = parseMachineMemory(ProcFile("/proc/meminfo").read());
    facts.ramBytes = memory.totalBytes;
    facts.usedRamBytes = memory.totalBytes - memory.availableBytes;
    facts.swapBytes = memory.swapTotalBytes;
    return facts;
}

Result<CalibrationLimits> limitsOf(const MachineFacts& facts, bool quick)
{
    std::size_t freeBytes = 0;
    std::size_t totalBytes = 0;
    check(cudaMemGetInfo(&freeBytes, &totalBytes), "cudaMemGetInfo");
    return calibrationLimits(facts.ramBytes - facts.usedRamBytes, static_cast<std::int64_t>(freeBytes), quick);
}

void measure(ProbeRun& run)
{
    for (const Step& step : kSteps) {
        run.beginStep(step.doing, step.share);
        try {
            step.probe(run);
        } catch (const ProbeFailure& failure) {
            run.miss(step.misses, failure.what());
        }
        run.endStep();
    }
}

}  // namespace

Result<CalibrationSamples> calibrateGpu(const CalibrationOptions& asked)
{
    CalibrationOptions options = asked;
    CalibrationSamples samples;
    const std::int64_t startNs = probeNowNs();
    try {
        int count = 0;
        check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
        if (options.device < 0 || options.device >= count)
            return Error{fmt::format("There is no GPU {} here; this process may use {}.", options.device, count)};
        check(cudaSetDevice(options.device), "cudaSetDevice");
        samples.machine = factsOf(options.device);
        if (options.limits.largestBlockBytes == 0) {
            const auto limits = limitsOf(samples.machine, options.quick);
            if (!limits.ok())
                return limits.failure();
            options.limits = limits.value();
        }
        ProbeRun run(options, samples);
        measure(run);
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    } catch (const ProbeCancelled&) {
        return Error::cancelled();
    } catch (const ProbeFailure& failure) {
        return Error{fmt::format("The GPU cannot be calibrated: {}.", failure.what())};
    } catch (const std::bad_alloc&) {
        return Error{"The calibration ran out of memory; close other programs and try again."};
    }
    samples.tookNs = probeNowNs() - startNs;
    return samples;
}

}  // namespace overlane
