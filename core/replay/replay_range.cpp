// The range of a prediction, and the noise that a claimed difference has to exceed.
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <functional>

#include "core/base/saturated.h"
#include "core/base/statistics.h"
#include "core/base/units.h"
#include "core/replay/cold_calls.h"
#include "core/replay/edit.h"
#include "core/replay/prediction_range.h"
#include "core/replay/replay.h"
#include "core/replay/replay_plan.h"
#include "core/replay/step_times.h"

namespace overlane
{
namespace
{

// Ends of a range, in standard deviations: nine of ten processes differ from the recorded one by less, which differs
// from the usual one itself. So do two recordings of one setting there: 6 % where kernels decide, 25 % elsewhere.
constexpr double kNineOfTen = 2.33;
// No change is claimed where it is less than this, however sure it is.
constexpr double kLeastChange = 0.01;
// Memory is freed up to so much faster or slower than usual.
constexpr double kFreeingSpread = 2;
// A worker takes so much less or more for a batch than the training thread did: it computes with one thread
// (torch.utils.data sets torch.set_num_threads(1) there) and writes to shared memory, but has no kernels to launch.
constexpr double kQuickWorker = 0.85;
constexpr double kSlowWorker = 1.5;
// The ends of a rate's range lie about three of its standard deviations away: steps that a pin thread decides took
// 17 % more or less than predicted (docs/validation/whatif.md), where its range reaches 50 % further.
constexpr double kRangeDeviations = 3;

// What recording adds, at most: 1,600 launches in a step of 10.5 ms took 1.19 times as long in the median and 1.53
// times in the third quartile of processes bound to four cores (tests/gpu/README.md); other programs, run next to each
// other, 6 to 28 us a call (docs/validation/whatif.md).
constexpr double kRecordingShare = 0.3;
constexpr std::int64_t kMostRecordingNs = 20 * kNsPerUs;

// Spread of the mean that so many steps allow, from their quartiles: two standard errors.
std::int64_t spreadNs(const std::vector<std::int64_t>& stepsNs)
{
    if (stepsNs.size() < 4)
        return 0;
    const auto quartersNs = static_cast<double>(quantile(stepsNs, 0.75) - quantile(stepsNs, 0.25));
    return saturatedRound(2 * quartersNs / 1.349 / std::sqrt(static_cast<double>(stepsNs.size())));
}

// Steps that take more than twice as long as most after a change, and took as much longer before it: as where a library
// prepares for a size that it has not seen, or memory is slow to come. A loader's batches, which come in bursts only
// after it, are none. What the longest of them add to the mean of all.
constexpr std::size_t kOneRareOf = 10;  // steps, at most
struct Rare {
    std::size_t steps = 0;
    std::int64_t moreNs = 0;
};

Rare rareSteps(const std::vector<std::int64_t>& measuredNs, const std::vector<std::int64_t>& plannedNs)
{
    if (plannedNs.empty() || measuredNs.size() != plannedNs.size())
        return {};
    const std::int64_t usualMeasuredNs = median(measuredNs), usualNs = median(plannedNs);
    std::vector<std::int64_t> moreNs;
    for (std::size_t step = 0; step < plannedNs.size(); ++step)
        if (const std::int64_t more = saturatedDifference(plannedNs[step], usualNs);
            more > usualNs && saturatedDifference(measuredNs[step], usualMeasuredNs) >= more)
            moreNs.push_back(more);
    std::sort(moreNs.begin(), moreNs.end(), std::greater<>());
    moreNs.resize(std::min(moreNs.size(), plannedNs.size() / kOneRareOf));
    Rare rare{moreNs.size(), 0};
    for (const std::int64_t more : moreNs)
        rare.moreNs = saturatedSum(rare.moreNs, more);
    rare.moreNs /= static_cast<std::int64_t>(plannedNs.size());
    return rare;
}

// Of independent parts, each a standard deviation. What hits the step before and after alike is none: it moves the
// range, not the difference.
Noise noiseOf(std::int64_t stepNs, const std::array<double, 4>& partsNs)
{
    Noise noise;
    double squares = 0;
    for (const double partNs : partsNs)
        squares += partNs * partNs;
    const double least = kLeastChange * static_cast<double>(stepNs);
    noise.ns = saturatedRound(std::max(std::sqrt(squares), least));
    if (std::sqrt(squares) > least)
        noise.largest = static_cast<Noise::Origin>(std::max_element(partsNs.begin(), partsNs.end()) - partsNs.begin());
    return noise;
}

}  // namespace

// Between these ends are nine of ten other processes of a program that takes this long here: all of the host's own
// work is faster or slower together, and the step by the least that processes differ by.
std::pair<std::int64_t, std::int64_t> Replay::otherProcesses(const ReplayProgram& program, std::int64_t stepNs,
                                                             const WorkMeter& work) const
{
    const double pace = 1 + kNineOfTen * kProcessSpread;
    const auto at = [&](double factor) {
        ReplayProgram other = program;
        editHostPace(other, factor);
        return static_cast<double>(sustained(schedule(other, work)).stepNs);
    };
    const auto usualNs = static_cast<double>(sustained(schedule(program, work)).stepNs);
    const double leastNs = kNineOfTen * kLeastProcessSpread * static_cast<double>(stepNs);
    return {saturatedDifference(stepNs, saturatedRound(std::hypot(std::max(0.0, usualNs - at(1 / pace)), leastNs))),
            saturatedSum(stepNs, saturatedRound(std::hypot(std::max(0.0, at(pace) - usualNs), leastNs)))};
}

// The step with the clock of a GPU that rests only where it neither computes nor copies: whether it may rest while it
// copies is not known.
std::int64_t Replay::busyClockNs(const ReplayProgram& program, const Schedule& planned, const WorkMeter& work) const
{
    if (m_trace->origin().isSimulated)
        return planned.stepNs;
    const double madeFactor = clockFactor(computeShare(planned)) / clockFactor(m_computeShare);
    const double busyFactor = clockFactor(deviceBusyShare(program, planned, work)) / clockFactor(m_busyShare);
    if (busyFactor / madeFactor - 1 < kClockMatters)
        return planned.stepNs;
    ReplayProgram other = program;
    editClock(other, *m_trace, busyFactor / madeFactor);
    return sustained(schedule(other, work)).stepNs;
}

// The range of a prediction, and the noise of its difference.
void Replay::findRange(const Plan& plan, const Rates& rates, Prediction& prediction, const WorkMeter& work) const
{
    const ReplayProgram& program = plan.program;
    const Schedule& planned = plan.schedule;
    const std::int64_t coolNs = plan.coolNs, steadyNs = plan.steadyNs;
    const std::span<const Change> changes = prediction.changes;
    const LibraryStaging library = libraryStaging(m_report.program.framework);
    PredictionRange range(planned.stepNs);
    double doubtNs = 0;  // what speaks against the predicted direction, as far as it is not known
    const auto doubt = [&](std::int64_t lowNs, std::int64_t highNs, double deviations) {
        const bool faster = planned.stepNs < m_report.stepNsReplayed;
        const std::int64_t againstNs = faster ? highNs - planned.stepNs : planned.stepNs - lowNs;
        doubtNs = std::hypot(doubtNs, static_cast<double>(std::max<std::int64_t>(0, againstNs)) / deviations);
    };
    // The step with other rates.
    const auto with = [&](const EditScales& scales) {
        std::vector<std::string> ignored;
        ReplayProgram other = *m_program;
        if (!editAll(other, editing(rates, ignored, scales), changes, *m_trace).ok())
            return planned.stepNs;
        return sustained(scheduleAtClock(other, m_computeShare, *m_trace, work)).stepNs;
    };
    const auto reachByRate = [&](const EditScales& fast, const EditScales& slow, const char* origin) {
        const std::int64_t lowNs = with(fast), highNs = with(slow);
        range.reach(lowNs, highNs, origin);
        doubt(lowNs, highNs, kRangeDeviations);
    };
    if (has(changes, ChangeKind::Pin)) {
        const Rate& copies = rates.pinnedH2d;
        if (copies.known())
            reachByRate({.pinned = copies.high / copies.bytesPerSecond}, {.pinned = copies.low / copies.bytesPerSecond},
                        "the rate of pinned copies");
        if (const Rate& pinning = rates.pinning; pinning.known())
            reachByRate({.pinning = pinning.high / pinning.bytesPerSecond},
                        {.pinning = pinning.low / pinning.bytesPerSecond}, "the time to pin a batch");
        if (!m_trace->origin().isSimulated)
            reachByRate({.warmth = kMostWarmth, .computing = m_stages ? kWarmComputing : 1}, {.warmth = kLeastWarmth},
                        "how much faster the host works once copies no longer empty its caches");
        if (freeingPauses(*m_program).copies > 0)
            reachByRate({.freeing = 1 / kFreeingSpread}, {.freeing = kFreeingSpread},
                        "how much of the host's time after results is freeing their memory");
    }
    const bool addsPinThread = program.loader().pinThread && !m_program->loader().pinThread;
    if (addsPinThread && !m_trace->origin().isSimulated)
        reachByRate({}, {.lockHeld = true},
                    "whether the pin thread holds up the training thread (the interpreter's lock)");
    if (has(changes, ChangeKind::SideStream))
        if (const std::int64_t behindNs = with({.behindKernels = true}); behindNs < planned.stepNs)
            range.reach(behindNs, planned.stepNs,
                        "whether the next batch is made before a step's kernels are issued or, better, behind them");
    if (program.loader().workersAssumed)
        reachByRate({.newWorker = kQuickWorker}, {.newWorker = kSlowWorker},
                    "how long a worker takes for what the training thread made");
    const bool mayStage = has(changes, ChangeKind::Pin) && library == LibraryStaging::Perhaps;
    if (const std::int64_t unstagedNs = mayStage ? with({.staging = false}) : 0; unstagedNs > planned.stepNs) {
        range.reach(planned.stepNs, unstagedNs, "whether the host's time before pinned copies is copying to them");
        doubt(planned.stepNs, unstagedNs, 1);
    }
    const double spread = changes.empty() ? 0 : processSpread(*m_trace, program, planned.bottleneck);
    if (spread > 0) {
        const auto [lowNs, highNs] = otherProcesses(program, planned.stepNs, work);
        range.reach(lowNs, highNs, "what two processes of such a program differ by");
    }
    if (!changes.empty() && program.loader().holdsAssumed) {
        ReplayProgram other = program;
        for (LoaderProgram& loader : other.loaders)
            for (LoaderBatch& batch : loader.batches)
                batch.holdsNs = 0;
        const std::int64_t otherNs = sustained(schedule(other, work)).stepNs;
        range.reach(otherNs, otherNs, "whether workers keep a batch back while they make samples");
        doubt(otherNs, otherNs, 1);
    }
    if (steadyNs != planned.stepNs) {
        range.reach(planned.stepNs, steadyNs, "when the batches that the loader had made before are used up");
        doubt(planned.stepNs, steadyNs, 1);
    }
    if (!changes.empty()) {
        const std::int64_t lowNs = coolNs == steadyNs ? planned.stepNs : coolNs;
        range.reach(lowNs, std::max(planned.stepNs, busyClockNs(program, planned, work)),
                    "how far the GPU's clock falls as it gets busier");
        doubt(lowNs, lowNs, 1);
    }
    if (!changes.empty() && !m_trace->origin().isSimulated) {
        ReplayProgram other = program;
        editRecordingCost(other, kRecordingShare, kMostRecordingNs);
        const std::int64_t bareNs = sustained(schedule(other, work)).stepNs;
        range.reach(std::min(bareNs, planned.stepNs), planned.stepNs, "what recording adds to issuing work");
    }
    const std::vector<std::int64_t> measuredNs = measuredSchedule(*m_program, work).stepTimesNs;
    if (const Rare rare = rareSteps(measuredNs, planned.stepTimesNs); !changes.empty() && rare.steps > 0)
        range.reach(saturatedDifference(planned.stepNs, rare.moreNs), planned.stepNs,
                    fmt::format("whether {} of the {} steps, which take over twice as long as most, are so again",
                                rare.steps, planned.stepTimesNs.size()));
    const double error = m_report.error();
    const auto errorNs = saturatedRound(std::abs(error) * static_cast<double>(planned.stepNs));
    range.reach(planned.stepNs - errorNs, planned.stepNs + errorNs, "the error of the replay without change");
    const double share = static_cast<double>(planned.stepNs) / static_cast<double>(m_report.stepNsMeasured);
    const auto stepsNs = saturatedRound(static_cast<double>(spreadNs(measuredNs)) * share);
    range.reach(planned.stepNs - stepsNs, saturatedSum(planned.stepNs, stepsNs), "the spread of the measured steps");
    range.store(prediction);
    const double processesNs = std::hypot(m_spread * static_cast<double>(m_report.stepNsReplayed),
                                          spread * static_cast<double>(planned.stepNs));
    prediction.noise = noiseOf(m_report.stepNsReplayed,
                               {processesNs, static_cast<double>(stepsNs) / 2, static_cast<double>(errorNs), doubtNs});
}

}  // namespace overlane
