#include "core/runs/run_pace.h"

#include <algorithm>

namespace overlane
{
namespace
{

// Batches that must remain of a run once its ends are left out.
constexpr std::int64_t kLeastSteadyBatches = 8;

}  // namespace

RunPace runPace(const Scenario& scenario, const StepSequence& steps, std::int64_t wallNs)
{
    const auto count = static_cast<std::int64_t>(steps.steps.size());
    const std::int64_t queued = scenario.workers * scenario.prefetchFactor;
    // The host runs ahead of the device by the batches there, at the start twice over.
    const std::int64_t first = queued + 2 * scenario.deviceBuffers + 1;
    const std::int64_t round = std::max<std::int64_t>(1, scenario.workers);
    const std::int64_t batches = (count - 1 - queued - scenario.deviceBuffers - first) / round * round;
    if (count != scenario.batches || batches < std::max(kLeastSteadyBatches, round))
        return {{0, wallNs}, std::max<std::int64_t>(1, scenario.batches)};
    const auto startNs = [&](std::int64_t step) {
        return steps.steps[static_cast<std::size_t>(step)].interval.startNs;
    };
    return {{startNs(first), startNs(first + batches)}, batches};
}

}  // namespace overlane
