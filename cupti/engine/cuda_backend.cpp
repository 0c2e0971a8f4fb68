// The CUDA backend, and the one function that core/host looks for.
#include <array>

#include "cupti/engine/cuda_engine.h"
#include "cupti/engine/device_node.h"

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
        auto engine = CudaEngine::create(options);
        if (!engine.ok())
            return Error{engine.error()};
        return std::unique_ptr<GpuEngine>(std::move(engine).value());
    }
};

}  // namespace
}  // namespace overlane

extern "C" __attribute__((visibility("default"))) overlane::GpuBackend* overlaneGpuBackend(int version)
{
    static overlane::CudaBackend backend;
    return version == overlane::kGpuBackendVersion ? &backend : nullptr;
}
