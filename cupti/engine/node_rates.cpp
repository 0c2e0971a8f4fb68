#include "cupti/engine/node_rates.h"

#include <algorithm>
#include <cstring>
#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <thread>

#include "cupti/engine/node_binding.h"

namespace overlane
{
namespace
{

constexpr std::size_t kProbeBytes = std::size_t{64} << 20;
constexpr int kCopies = 5;

// What is taken for one node; freed whatever happens.
struct Probe {
    void* host = nullptr;
    void* device = nullptr;
    cudaStream_t stream = nullptr;
    cudaEvent_t before = nullptr;
    cudaEvent_t after = nullptr;

    Probe() = default;
    Probe(const Probe&) = delete;
    Probe& operator=(const Probe&) = delete;
    ~Probe()
    {
        if (after != nullptr)
            cudaEventDestroy(after);
        if (before != nullptr)
            cudaEventDestroy(before);
        if (stream != nullptr)
            cudaStreamDestroy(stream);
        cudaFree(device);
        cudaFreeHost(host);
    }
};

cudaError_t bestRate(int device, double& bytesPerSecond)
{
    Probe probe;
    cudaError_t code = cudaSetDevice(device);
    const auto then = [&code](cudaError_t next) { code = code == cudaSuccess ? next : code; };
    if (code == cudaSuccess)
        then(cudaHostAlloc(&probe.host, kProbeBytes, cudaHostAllocDefault));
    if (code == cudaSuccess) {
        std::memset(probe.host, 1, kProbeBytes);
        then(cudaMalloc(&probe.device, kProbeBytes));
    }
    if (code == cudaSuccess)
        then(cudaStreamCreateWithFlags(&probe.stream, cudaStreamNonBlocking));
    if (code == cudaSuccess)
        then(cudaEventCreate(&probe.before));
    if (code == cudaSuccess)
        then(cudaEventCreate(&probe.after));
    for (int copy = 0; copy < kCopies && code == cudaSuccess; ++copy) {
        then(cudaEventRecord(probe.before, probe.stream));
        then(cudaMemcpyAsync(probe.device, probe.host, kProbeBytes, cudaMemcpyHostToDevice, probe.stream));
        then(cudaEventRecord(probe.after, probe.stream));
        then(cudaEventSynchronize(probe.after));
        float milliseconds = 0;
        then(cudaEventElapsedTime(&milliseconds, probe.before, probe.after));
        if (code == cudaSuccess && milliseconds > 0)
            bytesPerSecond = std::max(bytesPerSecond, static_cast<double>(kProbeBytes) * 1e3 / milliseconds);
    }
    return code;
}

}  // namespace

Result<std::vector<double>> copyRatesOfNodes(int device, int nodes)
{
    std::vector<double> rates(static_cast<std::size_t>(nodes), 0.0);
    for (int node = 0; node < nodes; ++node) {
        Result<void> bound;
        cudaError_t code = cudaSuccess;
        std::thread([&] {
            bound = bindThreadToNode(node);
            if (bound.ok())
                code = bestRate(device, rates[static_cast<std::size_t>(node)]);
        }).join();
        if (!bound.ok())
            return bound.failure();
        if (code != cudaSuccess)
            return Error{fmt::format("The copy rate of NUMA node {} cannot be measured on GPU {}: {}.", node, device,
                                     cudaGetErrorString(code))};
    }
    return rates;
}

}  // namespace overlane
