#include <cuda_fp16.h>
#include <mma.h>

#include "cupti/engine/kernel_launch.h"
#include "cupti/engine/pattern.h"

namespace overlane
{
namespace
{

constexpr int kThreads = 256;
constexpr int kBlocksPerMultiprocessor = 4;
constexpr std::size_t kScratchVectors = kScratchBytes / sizeof(uint4);
// An iteration of the memory kernel reads and writes this part of the scratch.
constexpr std::size_t kVectorsPerIteration = (1u << 20) / sizeof(uint4);
constexpr int kTile = 16;
constexpr int kProductsInFlight = 4;  // of a warp, independent of each other
constexpr double kFlopsPerWarpIteration = 2.0 * kTile * kTile * kTile * kProductsInFlight;
constexpr int kThreadsPerWarp = 32;

// A sample of the batch is checked, the whole result written, by all threads of the launch together, so that
// it takes next to none of its time. A batch counts as wrong once, however many blocks find it so.
__device__ void checkBatch(const KernelData& data)
{
    const std::uint64_t threads = static_cast<std::uint64_t>(gridDim.x) * blockDim.x;
    const std::uint64_t thread = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    int differs = 0;
    for (std::uint64_t at = thread * kWordsPerSample; at < data.batchWords; at += threads * kWordsPerSample)
        differs |= data.batch[at] != patternWord(data.batchSeed, at);
    differs = __syncthreads_or(differs);
    if (threadIdx.x == 0 && differs && atomicExch(data.wrong + 1, data.batchSeed) != data.batchSeed)
        atomicAdd(data.wrong, 1ull);
    const std::uint64_t resultSeed = scatter(data.batchSeed);
    for (std::uint64_t at = thread; at < data.resultWords; at += threads)
        data.result[at] = patternWord(resultSeed, at);
}

__device__ std::uint64_t deviceTimeNs()
{
    std::uint64_t timeNs = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(timeNs));
    return timeNs;
}

__global__ void spin_kernel(KernelData data, std::int64_t durationNs)
{
    const std::uint64_t endNs = deviceTimeNs() + static_cast<std::uint64_t>(durationNs);
    checkBatch(data);
    while (deviceTimeNs() < endNs)
        __nanosleep(100);
}

__global__ void memory_kernel(KernelData data, uint4* scratch, std::int64_t iterations)
{
    checkBatch(data);
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
__global__ void gemm_kernel(KernelData data, float* sink, std::int64_t iterations)
{
    checkBatch(data);
    using namespace nvcuda;
    wmma::fragment<wmma::matrix_a, kTile, kTile, kTile, __half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, kTile, kTile, kTile, __half, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, kTile, kTile, kTile, float> sums[kProductsInFlight];
    // No two elements are alike and all of them count in the end: what is equal, or never read, the compiler
    // leaves out, and with it a part of the products.
    for (int element = 0; element < left.num_elements; ++element)
        left.x[element] = __float2half(1e-3f * static_cast<float>(1 + (threadIdx.x + element) % kTile));
    for (int element = 0; element < right.num_elements; ++element)
        right.x[element] = __float2half(1e-3f * static_cast<float>(1 + (threadIdx.x + 3 * element) % kTile));
    for (int product = 0; product < kProductsInFlight; ++product)
        for (int element = 0; element < sums[product].num_elements; ++element)
            sums[product].x[element] = static_cast<float>(threadIdx.x + product * kTile + element);
    for (std::int64_t iteration = 0; iteration < iterations; ++iteration)
        for (auto& sum : sums)
            wmma::mma_sync(sum, left, right, sum);
    float total = 0;
    for (const auto& sum : sums)
        for (int element = 0; element < sum.num_elements; ++element)
            total += sum.x[element];
    if (total == -1)  // never true, and the compiler cannot know
        *sink = total;
}

}  // namespace

cudaError_t launchSpin(std::int64_t durationNs, const KernelData& data, cudaStream_t stream)
{
    spin_kernel<<<1, kThreads, 0, stream>>>(data, durationNs);
    return cudaGetLastError();
}

cudaError_t launchMemory(std::int64_t iterations, int multiprocessors, void* scratch, const KernelData& data,
                         cudaStream_t stream)
{
    memory_kernel<<<multiprocessors * kBlocksPerMultiprocessor, kThreads, 0, stream>>>(
        data, static_cast<uint4*>(scratch), iterations);
    return cudaGetLastError();
}

cudaError_t launchGemm(std::int64_t iterations, int multiprocessors, void* scratch, const KernelData& data,
                       cudaStream_t stream)
{
    gemm_kernel<<<multiprocessors * kBlocksPerMultiprocessor, kThreads, 0, stream>>>(data, static_cast<float*>(scratch),
                                                                                     iterations);
    return cudaGetLastError();
}

double flopsPerIteration(int multiprocessors)
{
    const double warps = static_cast<double>(multiprocessors) * kBlocksPerMultiprocessor * kThreads / kThreadsPerWarp;
    return warps * kFlopsPerWarpIteration;
}

}  // namespace overlane
