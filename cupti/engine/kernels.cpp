#include "cupti/engine/kernels.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace overlane
{
namespace
{

// The count, and the seed of the batch that was counted last.
constexpr std::size_t kWrongBytes = 2 * sizeof(unsigned long long);

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
    if (const auto code = cudaMalloc(reinterpret_cast<void**>(&kernels.m_wrong), kWrongBytes); code != cudaSuccess)
        return cudaFailure("No device memory", code);
    cudaMemset(kernels.m_scratch, 0, kScratchBytes);
    cudaMemset(kernels.m_wrong, 0, kWrongBytes);

    ASSIGN_OR_RETURN(auto memory, kernels.calibrate(op::KernelLoad::Memory));
    kernels.m_memory = memory;
    ASSIGN_OR_RETURN(auto full, kernels.calibrate(op::KernelLoad::Full));
    kernels.m_full = full;
    // Loads the third kernel's code, as calibration did the others'.
    if (const auto code = kernels.launch(op::KernelLoad::Small, 0, {}, nullptr); code != cudaSuccess)
        return cudaFailure("The kernels cannot be launched", code);
    cudaDeviceSynchronize();
    return kernels;
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

cudaError_t Kernels::launchIterations(op::KernelLoad load, std::int64_t iterations, KernelData data,
                                      cudaStream_t stream) const
{
    data.wrong = m_wrong;
    const auto launch = load == op::KernelLoad::Memory ? launchMemory : launchGemm;
    return launch(iterations, m_multiprocessors, m_scratch, data, stream);
}

cudaError_t Kernels::launchFlops(double flops, const KernelData& data, cudaStream_t stream)
{
    const double iterations = flops / flopsPerIteration(m_multiprocessors);
    return launchIterations(op::KernelLoad::Full, std::max<std::int64_t>(1, std::llround(iterations)), data, stream);
}

cudaError_t Kernels::launch(op::KernelLoad load, std::int64_t durationNs, const KernelData& data, cudaStream_t stream)
{
    if (load == op::KernelLoad::Small) {
        KernelData checked = data;
        checked.wrong = m_wrong;
        return launchSpin(durationNs, checked, stream);
    }
    const Pace& pace = load == op::KernelLoad::Memory ? m_memory : m_full;
    const double iterations = (static_cast<double>(durationNs) - pace.baseNs) / pace.iterationNs;
    return launchIterations(load, std::max<std::int64_t>(1, std::llround(iterations)), data, stream);
}

// Two lengths, the shortest of three runs each.
Result<Kernels::Pace> Kernels::calibrate(op::KernelLoad load) const
{
    constexpr std::int64_t kShort = 512, kLong = 4096;
    // Before each a wait on the device, in which the host queues the rest: its calls are no part of the time.
    constexpr std::int64_t kQueueingNs = 100'000;
    KernelData withNothing;
    withNothing.wrong = m_wrong;
    cudaEvent_t before{}, after{};
    cudaEventCreate(&before);
    cudaEventCreate(&after);
    const auto shortestNs = [&](std::int64_t iterations) {
        float shortestMs = 1e9f;
        for (int run = 0; run < 3; ++run) {
            launchSpin(kQueueingNs, withNothing, nullptr);
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
