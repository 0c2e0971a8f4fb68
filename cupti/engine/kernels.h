// Kernels: what stands for the compute of a batch. All check the batch they were given and may
// leave a result; they differ in what holds them up.
//
// Spin waits on one multiprocessor, Memory streams through a scratch buffer on all of them, Full
// multiplies matrices on all of them. Memory and Full do a fixed amount of work, calibrated
// once on the idle device, so that interference lengthens them as it would a real kernel. Owns its
// device memory. Made and used with the device current; any one thread at a time. Nanoseconds.
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>

#include "core/base/result.h"
#include "core/engine/operation.h"
#include "cupti/engine/kernel_launch.h"

namespace overlane
{

class Kernels
{
public:
    static Result<Kernels> create(int device);
    Kernels(Kernels&& other) noexcept;
    Kernels& operator=(Kernels&&) = delete;
    ~Kernels();

    cudaError_t launch(op::KernelLoad load, std::int64_t durationNs, const KernelData& data, cudaStream_t stream);

    // So many floating-point operations of matrix products.
    cudaError_t launchFlops(double flops, const KernelData& data, cudaStream_t stream);

    // Launches so far that found other bytes than they should; waits for the device.
    Result<std::int64_t> wrongBatches() const;

private:
    // Time of a launch as a line over its iterations.
    struct Pace {
        double baseNs = 0;
        double iterationNs = 1;
    };
    Kernels() = default;
    Result<Pace> calibrate(op::KernelLoad load) const;
    cudaError_t launchIterations(op::KernelLoad load, std::int64_t iterations, KernelData data,
                                 cudaStream_t stream) const;

    int m_multiprocessors = 0;
    void* m_scratch = nullptr;
    unsigned long long* m_wrong = nullptr;
    Pace m_memory;
    Pace m_full;
};

}  // namespace overlane
