// The CUDA backend, and the one function that core/system looks for.
#include <array>

#include "core/system/pci_device.h"
#include "cupti/calibrate/calibrate.h"
#include "cupti/engine/cuda_engine.h"
#include "cupti/engine/node_binding.h"
#include "cupti/engine/node_rates.h"

namespace overlane
{
namespace
{

class CudaBackend final : public GpuBackend
{
public:
    std::vector<GpuDevice> devices() const override
    {
        int count = 0;
        std::vector<GpuDevice> found;
        if (cudaGetDeviceCount(&count) != cudaSuccess)
            return found;
        for (int index = 0; index < count; ++index) {
            cudaDeviceProp properties{};
            if (cudaGetDeviceProperties(&properties, index) != cudaSuccess)
                continue;
            GpuDevice device;
            device.index = index;
            device.name = properties.name;
            device.memoryBytes = static_cast<std::int64_t>(properties.totalGlobalMem);
            std::array<char, 32> address{};
            if (cudaDeviceGetPCIBusId(address.data(), static_cast<int>(address.size()), index) == cudaSuccess)
                device.pciAddress = address.data();
            device.numaNode = nodeOfPciDevice(device.pciAddress);
            found.push_back(std::move(device));
        }
        return found;
    }

    Result<std::unique_ptr<GpuEngine>> createEngine(const GpuEngineOptions& options) override
    {
        ASSIGN_OR_RETURN(auto engine, CudaEngine::create(options));
        return std::unique_ptr<GpuEngine>(std::move(engine));
    }

    Result<NodePlacement> placement(int device) override
    {
        NodePlacement placement;
        placement.nodes = numaNodeCount();
        for (const GpuDevice& found : devices())
            if (found.index == device)
                placement.gpuNode = found.numaNode;
        if (placement.nodes > 1) {
            ASSIGN_OR_RETURN(auto rates, copyRatesOfNodes(device, placement.nodes));
            placement.copyBytesPerSecond = std::move(rates);
        }
        return placement;
    }

    Result<CalibrationSamples> calibrate(const CalibrationOptions& options) override { return calibrateGpu(options); }
};

}  // namespace
}  // namespace overlane

extern "C" __attribute__((visibility("default"))) overlane::GpuBackend* overlaneGpuBackend(int version)
{
    static overlane::CudaBackend backend;
    return version == overlane::kGpuBackendVersion ? &backend : nullptr;
}
