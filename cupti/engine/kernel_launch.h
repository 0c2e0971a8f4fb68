// The kernels themselves, as plain functions: the only code here that nvcc compiles, in C++17.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>

namespace overlane
{

// A batch on the device, what it should hold, and the result to make of it.
struct KernelData {
    const std::uint64_t* batch = nullptr;
    std::uint64_t batchWords = 0;
    std::uint64_t batchSeed = 0;
    std::uint64_t* result = nullptr;  // nullptr: none
    std::uint64_t resultWords = 0;
    unsigned long long* wrong = nullptr;  // counts batches that hold something else
};

constexpr std::size_t kScratchBytes = std::size_t{512} << 20;  // several times the second-level cache

// One multiprocessor waits for `durationNs`.
cudaError_t launchSpin(std::int64_t durationNs, const KernelData& data, cudaStream_t stream);
// All multiprocessors read and write `scratch`, 1 MiB an iteration.
cudaError_t launchMemory(std::int64_t iterations, int multiprocessors, void* scratch, const KernelData& data,
                         cudaStream_t stream);
// All multiprocessors multiply matrices, flopsPerIteration() operations an iteration.
cudaError_t launchGemm(std::int64_t iterations, int multiprocessors, void* scratch, const KernelData& data,
                       cudaStream_t stream);
double flopsPerIteration(int multiprocessors);

}  // namespace overlane
