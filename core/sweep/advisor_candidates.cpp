#include "core/sweep/advisor_candidates.h"

#include <algorithm>

#include "core/loader/settings.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kWorkers[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
constexpr std::int64_t kPrefetch[] = {1, 2, 4, 8};
constexpr std::int64_t kDepths[] = {1, 2, 3, 4};
// More batches than these in the loader are a dataset, not a queue.
constexpr std::int64_t kMostInFlight = 128;
constexpr std::int64_t kSteadyBatches = 48;

std::vector<std::int64_t> workerCounts(const Scenario& base, const DeviceProfile& device)
{
    const std::int64_t cores = base.cores > 0 ? base.cores : device.hostCores;
    std::vector<std::int64_t> counts{base.workers};
    for (const std::int64_t count : kWorkers)
        if (count <= cores && count != base.workers)
            counts.push_back(count);
    std::sort(counts.begin(), counts.end());
    return counts;
}

std::vector<std::int64_t> prefetchFactors(const Scenario& base, std::int64_t workers)
{
    if (workers == 0)
        return {base.prefetchFactor};
    std::vector<std::int64_t> factors;
    for (const std::int64_t factor : kPrefetch)
        if (workers * factor <= kMostInFlight)
            factors.push_back(factor);
    return factors;
}

}  // namespace

Scenario withLimits(const Scenario& scenario, const AdvisorLimits& limits)
{
    Scenario limited = scenario;
    if (limits.ramBytes > 0)
        limited.ramBytes = limits.ramBytes;
    if (limits.cores > 0)
        limited.cores = limits.cores;
    return limited;
}

std::vector<Scenario> candidates(const Scenario& base, const DeviceProfile& device)
{
    std::vector<Scenario> all;
    Scenario tried = base;
    tried.allocator = Allocator::Pool;  // PyTorch's own
    for (const PinStrategy pin : {PinStrategy::None, PinStrategy::Thread}) {
        tried.pin = pin;
        for (const bool nonBlocking : {false, true}) {
            tried.nonBlocking = nonBlocking;
            for (const CopyStream stream : {CopyStream::Compute, CopyStream::Side}) {
                tried.copyStream = stream;
                for (const std::int64_t depth : kDepths) {
                    const bool side = stream == CopyStream::Side;
                    if (!side && depth != kDepths[0])
                        break;
                    tried.deviceBuffers = side ? depth : base.deviceBuffers;
                    for (const std::int64_t workers : workerCounts(base, device)) {
                        tried.workers = workers;
                        for (const std::int64_t factor : prefetchFactors(base, workers)) {
                            tried.prefetchFactor = factor;
                            if (checkScenario(longRun(tried), device).ok())
                                all.push_back(tried);
                        }
                    }
                }
            }
        }
    }
    return all;
}

Scenario longRun(const Scenario& scenario)
{
    Scenario run = scenario;
    const std::int64_t inFlight = scenario.workers * scenario.prefetchFactor + scenario.deviceBuffers;
    run.batches = 3 * inFlight + scenario.workers + kSteadyBatches;
    return run;
}

}  // namespace overlane
