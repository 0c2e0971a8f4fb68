#include "core/sweep/advisor.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "core/base/parallel.h"
#include "core/loader/settings.h"
#include "core/runs/run_metrics.h"
#include "core/sweep/advisor_candidates.h"

namespace overlane
{
namespace
{

// `run` is the long run of the scenario.
AdvisorCandidate candidateOf(const Scenario& scenario, const JudgedRun& run, const AdvisorLimits& limits)
{
    const auto figure = [&run](std::string_view key) { return runMetric(key).value(run); };
    const auto batches = static_cast<double>(run.scenario.batches);
    AdvisorCandidate candidate;
    candidate.scenario = scenario;
    candidate.batchNs = figure(metric_key::kBatch);
    candidate.pinnedPeakBytes = std::llround(figure(metric_key::kPinnedPeak));
    candidate.swapPeakBytes = std::llround(figure(metric_key::kSwapPeak));
    candidate.overlapShare = figure(metric_key::kOverlap);
    candidate.kernelNs = figure(metric_key::kKernels) / batches;
    // The pace is the host's, which runs ahead of the device for a while; kernels of one stream follow each other.
    if (scenario.streams == 1)
        candidate.batchNs = std::max(candidate.batchNs, candidate.kernelNs);
    const double rate = figure(metric_key::kCopyRate);
    candidate.copyNs = rate > 0 ? static_cast<double>(scenario.batchBytes) / rate : 0;
    const auto samples = static_cast<double>(scenario.samples);
    candidate.loadNs = (scenario.produceUs + samples * (scenario.readUs + scenario.transformUs)) * 1000 /
                       static_cast<double>(std::max<std::int64_t>(1, scenario.workers));
    candidate.hostBytes =
        candidate.pinnedPeakBytes +
        scenario.workers * (run.device->workerProcessBytes + scenario.prefetchFactor * scenario.batchBytes);
    candidate.fits =
        candidate.swapPeakBytes == 0 && (limits.pinnedBytes <= 0 || candidate.pinnedPeakBytes <= limits.pinnedBytes);
    return candidate;
}

}  // namespace

std::string_view adviceKindName(AdviceKind kind)
{
    constexpr std::string_view kNames[] = {"change", "stay_as_is", "compute_bound", "pinning_off", "nothing_fits"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::vector<std::string> changedKeys(const Scenario& now, const Scenario& advised)
{
    std::vector<std::string> keys;
    for (const Setting& setting : allSettings())
        if (setting.get(now) != setting.get(advised))
            keys.emplace_back(setting.key);
    return keys;
}

Result<Advice> advise(const Scenario& now, const DeviceProfile& device, const AdvisorLimits& limits, Progress& progress,
                      unsigned threads)
{
    const Scenario limited = withLimits(now, limits);
    RETURN_IF_ERROR(checkScenario(limited, device));
    std::vector<Scenario> scenarios = candidates(limited, device);
    scenarios.insert(scenarios.begin(), limited);
    std::vector<AdvisorCandidate> answers(scenarios.size());
    std::vector<char> ran(scenarios.size(), 0);
    std::mutex mutex;
    std::size_t ended = 0;
    runInParallel(scenarios.size(), threads, [&](std::size_t at) {
        if (progress.cancelled())
            return false;
        const Scenario run = longRun(scenarios[at]);
        auto result = simulate(run, device);
        const bool didRun = result.ok();
        AdvisorCandidate answer;
        answer.scenario = scenarios[at];
        if (didRun)
            answer = candidateOf(scenarios[at], JudgedRun(run, device, std::move(result).value()), limits);
        else
            answer.error = result.error();
        const std::lock_guard lock(mutex);
        answers[at] = std::move(answer);
        ran[at] = didRun ? 1 : 0;
        progress.report(static_cast<double>(++ended) / static_cast<double>(scenarios.size()));
        return true;
    });
    if (progress.cancelled())
        return Error::cancelled();

    const AdvisorCandidate asItIs = answers.front();
    std::vector<AdvisorCandidate> all;
    for (std::size_t at = 0; at < answers.size(); ++at)
        if (ran[at] != 0)
            all.push_back(std::move(answers[at]));
    Advice advice = adviseAmong(asItIs, all);
    advice.limits = limits;
    advice.profile = device.key;
    advice.tried = scenarios.size() - 1;
    progress.report(1);
    return advice;
}

Result<AdviceMeasurement> confirmAdvice(const Advice& advice, const MeasuredRunOptions& options, Progress& progress,
                                        const AdviceMeasure& measureWith)
{
    AdviceMeasurement measurement;
    for (const bool advised : {false, true}) {
        const Scenario scenario = longRun(advised ? advice.advised.scenario : advice.now.scenario);
        ASSIGN_OR_RETURN(const auto result,
                         measureWith ? measureWith(scenario, options, progress) : measure(scenario, options, progress));
        const RunResult& run = result.run;
        measurement.device = result.device;
        (advised ? measurement.advisedNs : measurement.nowNs) =
            runPace(scenario, detectSteps(run.trace), run.wallNs).batchNs();
        progress.report(advised ? 1 : 0.5);
    }
    return measurement;
}

}  // namespace overlane
