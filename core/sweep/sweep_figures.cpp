// The figures of one run of a sweep.
#include <algorithm>

#include "core/analysis/steps.h"
#include "core/analysis/summary.h"
#include "core/sweep/sweep.h"

namespace overlane
{
namespace
{

// Steps that must remain of a run once its ends are left out.
constexpr std::int64_t kLeastSteadySteps = 8;

double ratePerSecond(std::int64_t bytes, std::int64_t ns)
{
    return ns > 0 ? static_cast<double>(bytes) * 1e9 / static_cast<double>(ns) : 0;
}

double timePerBatch(const Scenario& scenario, const std::vector<Step>& steps, std::int64_t wallNs)
{
    const auto count = static_cast<std::int64_t>(steps.size());
    const std::int64_t queued = scenario.workers * scenario.prefetchFactor;
    // The host runs ahead of the device by the batches there, at the start twice over.
    const std::int64_t first = queued + 2 * scenario.deviceBuffers + 1;
    // Workers take turns: a whole number of rounds, for batches come in bursts of one from each.
    const std::int64_t round = std::max<std::int64_t>(1, scenario.workers);
    const std::int64_t length = (count - 1 - queued - scenario.deviceBuffers - first) / round * round;
    if (count == scenario.batches && length >= std::max(kLeastSteadySteps, round))
        return static_cast<double>(steps[static_cast<std::size_t>(first + length)].interval.startNs -
                                   steps[static_cast<std::size_t>(first)].interval.startNs) /
               static_cast<double>(length);
    return static_cast<double>(wallNs) / static_cast<double>(scenario.batches);
}

}  // namespace

SweepFigures sweepFigures(const Scenario& scenario, const RunResult& run)
{
    const Analysis analysis(run.trace);
    const Summary summary = analysis.summarise(Interval{0, run.wallNs});
    const DeviceSummary* worst = summary.worst();
    const DeviceSummary device = worst != nullptr ? *worst : DeviceSummary{};
    const StepSequence steps = detectSteps(run.trace);

    SweepFigures figures{};
    const auto set = [&figures](SweepMetric metric, auto value) {
        figures[static_cast<std::size_t>(metric)] = static_cast<double>(value);
    };
    set(SweepMetric::Batch, timePerBatch(scenario, steps.steps, run.wallNs));
    set(SweepMetric::Step, steps.statistics.medianNs);
    set(SweepMetric::Wall, run.wallNs);
    set(SweepMetric::Overlap, device.overlapShare);
    set(SweepMetric::Exposed, device.exposedCopyNs);
    set(SweepMetric::Ideal, device.idealNs);
    set(SweepMetric::Distance, device.distance);
    set(SweepMetric::Idle, device.idleNs);
    set(SweepMetric::PinnedPeak, run.pinnedPeakBytes);
    set(SweepMetric::SwapPeak, run.swapPeakBytes);
    set(SweepMetric::HostBlocked, summary.hostBlockedNs);
    set(SweepMetric::Kernels, device.kernelBusyNs);
    set(SweepMetric::H2dRate, ratePerSecond(device.h2dBytes, device.h2dBusyNs));
    set(SweepMetric::D2hRate, ratePerSecond(device.d2hBytes, device.d2hBusyNs));
    return figures;
}

}  // namespace overlane
