// The figures of one run of a sweep.
#include <algorithm>

#include "core/analysis/steps.h"
#include "core/analysis/summary.h"
#include "core/lab/sweep.h"

namespace overlane
{
namespace
{

// What must remain of a run once its ends are left out.
constexpr std::int64_t kLeastSteadyShare = 3;

double ratePerSecond(std::int64_t bytes, std::int64_t ns)
{
    return ns > 0 ? static_cast<double>(bytes) * 1e9 / static_cast<double>(ns) : 0;
}

double timePerBatch(const Scenario& scenario, const std::vector<Step>& steps, std::int64_t wallNs)
{
    const auto count = static_cast<std::int64_t>(steps.size());
    const std::int64_t inFlight = scenario.workers * scenario.prefetchFactor + scenario.deviceBuffers;
    const std::int64_t last = count - 1 - inFlight;
    if (count == scenario.batches && (last - inFlight) * kLeastSteadyShare >= count)
        return static_cast<double>(steps[static_cast<std::size_t>(last)].interval.startNs -
                                   steps[static_cast<std::size_t>(inFlight)].interval.startNs) /
               static_cast<double>(last - inFlight);
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
