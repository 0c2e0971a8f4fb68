#include <algorithm>
#include <cmath>
#include <cuda_fp16.h>
#include <mma.h>
#include <string>
#include <utility>

#include "cupti/engine/kernels.h"
#include "cupti/engine/pattern.h"

namespace overlane
{
namespace
{

constexpr int kThreads = 256;
constexpr int kBlocksPerMultiprocessor = 4;
constexpr std::size_t kScratchBytes = 512u << 20;  // several times the second-level cache
constexpr std::size_t kScratchVectors = kScratchBytes / sizeof(uint4);
// An iteration of the memory kernel reads and writes this part of the scratch.
constexpr std::size_t kVectorsPerIteration = (1u << 20) / sizeof(uint4);
constexpr int kTile = 16;
constexpr int kProductsInFlight = 4;  // of a warp, independent of each other
constexpr double kFlopsPerWarpIteration = 2.0 * kTile * kTile * kTile * kProductsInFlight;
constexpr int kThreadsPerWarp = 32;

// By the first block alone: a sample of the batch is checked, the whole result written.
__device__ void checkBatch(const KernelData& data, unsigned long long* wrong)
{
    if (blockIdx.x != 0)
        return;
    int differs = 0;
    for (std::uint64_t at = threadIdx.x * kWordsPerSample; at < data.batchWords; at += blockDim.x * kWordsPerSample)
        differs |= data.batch[at] != patternWord(data.batchSeed, at);
    differs = __syncthreads_or(differs);
    if (threadIdx.x == 0 && differs)
        atomicAdd(wrong, 1ull);
    const std::uint64_t resultSeed = scatter(data.batchSeed);
    for (std::uint64_t at = threadIdx.x; at < data.resultWords; at += blockDim.x)
        data.result[at] = patternWord(resultSeed, at);
}

__device__ std::uint64_t deviceTimeNs()
{
    std::uint64_t timeNs = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(timeNs));
    return timeNs;
}

__global__ void spin_kernel(KernelData data, unsigned long long* wrong, std::int64_t durationNs)
{
    const std::uint64_t endNs = deviceTimeNs() + static_cast<std::uint64_t>(durationNs);
    checkBatch(data, wrong);
    while (deviceTimeNs() < endNs)
        __nanosleep(100);
}

__global__ void memory_kernel(KernelData data, unsigned long long* wrong, uint4* scratch, std::int64_t iterations)
{
    checkBatch(data, wrong);
    const std::size_t threads = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    const std::size_t thread = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const std::size_t total = static_cast<std::size_t>(iterations) * kVectorsPerIteration;
    for (std::size_t at = thread; at < total; at += threads) {
        uint4 value = scratch[at % kScratchVectors];
        value.x += 1;
        scratch[at % kScratchVectors] = value;
    }
}

// Matrix products on the tensor cores, from registers: compute-bound like a well-tuned GEMM.
__global__ void gemm_kernel(KernelData data, unsigned long long* wrong, float* sink, std::int64_t iterations)
{
    checkBatch(data, wrong);
    using namespace nvcuda;
    wmma::fragment<wmma::matrix_a, kTile, kTile, kTile, __half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, kTile, kTile, kTile, __half, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, kTile, kTile, kTile, float> sums[kProductsInFlight];
    wmma::fill_fragment(left, __float2half(0.001f));
    wmma::fill_fragment(right, __float2half(0.001f));
    for (auto& sum : sums)
        wmma::fill_fragment(sum, static_cast<float>(threadIdx.x));
    for (std::int64_t iteration = 0; iteration < iterations; ++iteration)
        for (auto& sum : sums)
            wmma::mma_sync(sum, left, right, sum);
    float total = 0;
    for (const auto& sum : sums)
        total += sum.x[0];
    if (total == -1)  // never true, and the compiler cannot know
        *sink = total;
}

Error cudaFailure(const char* what, cudaError_t code)
{
    return Error{std::string(what) + ": " + cudaGetErrorString(code) + "."};
}

}  // namespace

Result<Kernels> Kernels::create(int device)
{
    Kernels kernels;
    if (const auto code = cudaDeviceGetAttribute(&kernels.m_multiprocessors, cudaDevAttrMultiProcessorCount, device);
        code != cudaSuccess)
        return cudaFailure("The device cannot be asked for its multiprocessors", code);
    if (const auto code = cudaMalloc(&kernels.m_scratch, kScratchBytes); code != cudaSuccess)
        return cudaFailure("No 512 MiB of device memory for the kernels' scratch", code);
    if (const auto code = cudaMalloc(reinterpret_cast<void**>(&kernels.m_wrong), sizeof(*kernels.m_wrong));
        code != cudaSuccess)
        return cudaFailure("No device memory", code);
    cudaMemset(kernels.m_scratch, 0, kScratchBytes);
    cudaMemset(kernels.m_wrong, 0, sizeof(*kernels.m_wrong));

    auto memory = kernels.calibrate(op::KernelLoad::Memory);
    if (!memory.ok())
        return Error{memory.error()};
    kernels.m_memory = memory.value();
    auto full = kernels.calibrate(op::KernelLoad::Full);
    if (!full.ok())
        return Error{full.error()};
    kernels.m_full = full.value();
    return std::move(kernels);
}

Kernels::Kernels(Kernels&& other) noexcept
    : m_multiprocessors(other.m_multiprocessors),
      m_scratch(std::exchange(other.m_scratch, nullptr)),
      m_wrong(std::exchange(other.m_wrong, nullptr)),
      m_memory(other.m_memory),
      m_full(other.m_full)
{
}

Kernels::~Kernels()
{
    cudaFree(m_scratch);
    cudaFree(m_wrong);
}

cudaError_t Kernels::launchIterations(op::KernelLoad load, std::int64_t iterations, const KernelData& data,
                                      cudaStream_t stream) const
{
    const int blocks = m_multiprocessors * kBlocksPerMultiprocessor;
    if (load == op::KernelLoad::Memory)
        memory_kernel<<<blocks, kThreads, 0, stream>>>(data, m_wrong, static_cast<uint4*>(m_scratch), iterations);
    else
        gemm_kernel<<<blocks, kThreads, 0, stream>>>(data, m_wrong, static_cast<float*>(m_scratch), iterations);
    return cudaGetLastError();
}

cudaError_t Kernels::launchFlops(double flops, const KernelData& data, cudaStream_t stream)
{
    const double warps = static_cast<double>(m_multiprocessors) * kBlocksPerMultiprocessor * kThreads / kThreadsPerWarp;
    const double iterations = flops / (warps * kFlopsPerWarpIteration);
    return launchIterations(op::KernelLoad::Full, std::max<std::int64_t>(1, std::llround(iterations)), data, stream);
}

cudaError_t Kernels::launch(op::KernelLoad load, std::int64_t durationNs, const KernelData& data, cudaStream_t stream)
{
    if (load == op::KernelLoad::Small) {
        spin_kernel<<<1, kThreads, 0, stream>>>(data, m_wrong, durationNs);
        return cudaGetLastError();
    }
    const Pace& pace = load == op::KernelLoad::Memory ? m_memory : m_full;
    const double iterations = (static_cast<double>(durationNs) - pace.baseNs) / pace.iterationNs;
    return launchIterations(load, std::max<std::int64_t>(1, std::llround(iterations)), data, stream);
}

// Two lengths, the shortest of three runs each.
Result<Kernels::Pace> Kernels::calibrate(op::KernelLoad load) const
{
    constexpr std::int64_t kShort = 512, kLong = 4096;
    cudaEvent_t before{}, after{};
    cudaEventCreate(&before);
    cudaEventCreate(&after);
    const auto shortestNs = [&](std::int64_t iterations) {
        float shortestMs = 1e9f;
        for (int run = 0; run < 3; ++run) {
            cudaEventRecord(before, nullptr);
            launchIterations(load, iterations, {}, nullptr);
            cudaEventRecord(after, nullptr);
            cudaEventSynchronize(after);
            float ms = 0;
            if (cudaEventElapsedTime(&ms, before, after) == cudaSuccess)
                shortestMs = std::min(shortestMs, ms);
        }
        return static_cast<double>(shortestMs) * 1e6;
    };
    shortestNs(kShort);  // loads the module
    const double shortNs = shortestNs(kShort);
    const double longNs = shortestNs(kLong);
    cudaEventDestroy(before);
    cudaEventDestroy(after);
    if (const auto code = cudaDeviceSynchronize(); code != cudaSuccess)
        return cudaFailure("The kernels could not be calibrated", code);
    Pace pace;
    pace.iterationNs = (longNs - shortNs) / static_cast<double>(kLong - kShort);
    pace.baseNs = shortNs - pace.iterationNs * static_cast<double>(kShort);
    if (!(pace.iterationNs > 0))
        return Error{"The kernels could not be calibrated: a longer one took no longer. Is the GPU in other use?"};
    return pace;
}

Result<std::int64_t> Kernels::wrongBatches() const
{
    unsigned long long wrong = 0;
    if (const auto code = cudaMemcpy(&wrong, m_wrong, sizeof(wrong), cudaMemcpyDeviceToHost); code != cudaSuccess)
        return cudaFailure("The check of the batches could not be read", code);
    return static_cast<std::int64_t>(wrong);
}

}  // namespace overlane
