#include "core/sweep/advisor.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <mutex>
#include <tuple>

#include "core/base/parallel.h"
#include "core/lab/run_metrics.h"
#include "core/loader/settings.h"
#include "core/sweep/advisor_candidates.h"

namespace overlane
{
namespace
{

// Times that differ by less are the same: the simulation's own grain.
constexpr double kSameTime = 0.002;

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

// Less to pay for and to change, for two that are equally fast.
auto effort(const AdvisorCandidate& candidate, const Scenario& now)
{
    const Scenario& scenario = candidate.scenario;
    const bool side = scenario.copyStream == CopyStream::Side;
    // Beside pinned memory or a stream of its own, non_blocking=True is what people write.
    const bool usual = scenario.nonBlocking == (side || candidate.pinnedPeakBytes > 0);
    return std::tuple(candidate.pinnedPeakBytes, scenario.workers, candidate.hostBytes, !usual,
                      changedKeys(now, scenario).size(), side, scenario.deviceBuffers);
}

// Those that none beats in both; of equally fast ones the least effort.
std::vector<AdvisorCandidate> paretoFront(std::vector<AdvisorCandidate> candidates, const Scenario& now)
{
    std::erase_if(candidates, [](const AdvisorCandidate& candidate) { return !candidate.fits; });
    std::sort(candidates.begin(), candidates.end(), [](const AdvisorCandidate& a, const AdvisorCandidate& b) {
        return std::tuple(a.pinnedPeakBytes, a.batchNs) < std::tuple(b.pinnedPeakBytes, b.batchNs);
    });
    std::vector<AdvisorCandidate> front;
    for (auto at = candidates.begin(); at != candidates.end();) {
        const auto next = std::find_if(at, candidates.end(), [at](const AdvisorCandidate& other) {
            return other.pinnedPeakBytes != at->pinnedPeakBytes;
        });
        // Of the same pinned memory: the least effort among the fastest.
        const double fastest = at->batchNs;
        const auto best =
            std::min_element(at, next, [&now, fastest](const AdvisorCandidate& a, const AdvisorCandidate& b) {
                const bool slowA = a.batchNs > fastest * (1 + kSameTime);
                const bool slowB = b.batchNs > fastest * (1 + kSameTime);
                return slowA != slowB ? slowB : effort(a, now) < effort(b, now);
            });
        if (front.empty() || best->batchNs < front.back().batchNs * (1 - kSameTime))
            front.push_back(*best);
        at = next;
    }
    return front;
}

bool worthMoreThan(double slowerNs, double fasterNs)
{
    return fasterNs < slowerNs * (1 - kWorthwhile);
}

// Puts the settings that are advised where it stops paying, in the place of all that cost as much and win less
// than is worth it.
void placeAdvised(Advice& advice)
{
    const AdvisorCandidate& advised = advice.advised;
    const auto cheaper = [&](const AdvisorCandidate& row) {
        return row.pinnedPeakBytes < advised.pinnedPeakBytes && worthMoreThan(row.batchNs, advised.batchNs);
    };
    const auto faster = [&](const AdvisorCandidate& row) {
        return row.pinnedPeakBytes > advised.pinnedPeakBytes && row.batchNs < advised.batchNs * (1 - kSameTime);
    };
    std::vector<AdvisorCandidate> front;
    std::copy_if(advice.front.begin(), advice.front.end(), std::back_inserter(front), cheaper);
    advice.knee = front.size();
    front.push_back(advised);
    std::copy_if(advice.front.begin(), advice.front.end(), std::back_inserter(front), faster);
    advice.front = std::move(front);
}

// Of those that fit and take no longer than that, the least effort.
const AdvisorCandidate* leastEffort(const std::vector<AdvisorCandidate>& all, double mostNs, const Scenario& now)
{
    const AdvisorCandidate* best = nullptr;
    for (const AdvisorCandidate& candidate : all)
        if (candidate.fits && candidate.batchNs <= mostNs &&
            (best == nullptr || effort(candidate, now) < effort(*best, now)))
            best = &candidate;
    return best;
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

Advice adviseAmong(const AdvisorCandidate& now, const std::vector<AdvisorCandidate>& tried)
{
    Advice advice;
    advice.now = advice.advised = now;
    advice.front = paretoFront(tried, now.scenario);
    if (advice.front.empty())
        return advice;
    if (advice.front.front().pinnedPeakBytes == 0)
        advice.pageable = advice.front.front();
    double fastest = advice.front.back().batchNs;
    for (const AdvisorCandidate& candidate : tried)
        if (candidate.fits)
            fastest = std::min(fastest, candidate.batchNs);
    const double goodNs = fastest / (1 - kWorthwhile);
    const AdvisorCandidate* best = leastEffort(tried, goodNs, now.scenario);
    if (best->pinnedPeakBytes == 0 && (!now.fits || now.pinnedPeakBytes > 0 || worthMoreThan(now.batchNs, fastest))) {
        advice.kind = AdviceKind::PinningOff;
    } else if (!now.fits || worthMoreThan(now.batchNs, fastest)) {
        advice.kind = AdviceKind::Change;
    } else {
        advice.kind = worthMoreThan(now.batchNs, now.kernelNs) ? AdviceKind::StayAsIs : AdviceKind::ComputeBound;
        if (best->pinnedPeakBytes < now.pinnedPeakBytes)
            advice.leaner = *best;
    }
    if (advice.kind == AdviceKind::Change || advice.kind == AdviceKind::PinningOff) {
        // A change wins what is worth it, unless it saves all pinned memory.
        const bool saves = best->pinnedPeakBytes == 0 && now.pinnedPeakBytes > 0;
        if (now.fits && !saves)
            best = leastEffort(tried, std::min(goodNs, now.batchNs * (1 - kWorthwhile)), now.scenario);
        advice.advised = *best;
        advice.kind = best->pinnedPeakBytes > 0 ? AdviceKind::Change : AdviceKind::PinningOff;
    }
    placeAdvised(advice);
    return advice;
}

Result<Advice> advise(const Scenario& now, const DeviceProfile& device, const AdvisorLimits& limits, Progress& progress,
                      unsigned threads)
{
    const Scenario limited = withLimits(now, limits);
    if (const auto checked = checkScenario(limited, device); !checked.ok())
        return Error{checked.error()};
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
        return Error{Progress::kCancelled};

    const AdvisorCandidate asItIs = answers.front();
    std::vector<AdvisorCandidate> all;
    for (std::size_t at = 0; at < answers.size(); ++at)
        if (ran[at] != 0)
            all.push_back(std::move(answers[at]));
    Advice advice = adviseAmong(asItIs, all);
    advice.limits = limits;
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
        const auto result =
            measureWith ? measureWith(scenario, options, progress) : measure(scenario, options, progress);
        if (!result.ok())
            return Error{result.error()};
        const RunResult& run = result.value().run;
        measurement.device = result.value().device;
        (advised ? measurement.advisedNs : measurement.nowNs) =
            runPace(scenario, detectSteps(run.trace), run.wallNs).batchNs();
        progress.report(advised ? 1 : 0.5);
    }
    return measurement;
}

}  // namespace overlane
