#include "core/sweep/advisor_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/units.h"
#include "core/sweep/advisor_error.h"

namespace overlane
{
namespace
{

constexpr double kNearlyAll = 0.93;  // of a batch's time: what takes as much is what limits

std::string timeText(double ns)
{
    return formatDuration(std::llround(ns));
}

// How much less time `fasterNs` is.
std::string winText(double slowerNs, double fasterNs)
{
    return formatShare(std::max(0.0, 1 - fasterNs / slowerNs));
}

std::string timesText(double slowerNs, double fasterNs)
{
    return fmt::format("{:.2f} times as fast", slowerNs / fasterNs);
}

std::string limitSentence(const AdvisorCandidate& candidate)
{
    const auto fills = [&](double ns) { return ns >= kNearlyAll * candidate.batchNs; };
    const auto share = [&](double ns) { return formatShare(std::min(1.0, ns / candidate.batchNs)); };
    if (fills(candidate.kernelNs))
        return fmt::format("Kernels then fill {} of the time: only less compute would be faster.",
                           share(candidate.kernelNs));
    if (fills(candidate.loadNs))
        return fmt::format("The loader limits then: its workers need {} for a batch between them.",
                           timeText(candidate.loadNs));
    if (fills(candidate.copyNs))
        return fmt::format("The copies limit then: {} of the time bytes are on the way to the device.",
                           share(candidate.copyNs));
    return fmt::format("No single part limits then: kernels take {} of a batch, copies {}, the loader {}.",
                       timeText(candidate.kernelNs), timeText(candidate.copyNs), timeText(candidate.loadNs));
}

std::string limitsText(const AdvisorLimits& limits)
{
    std::vector<std::string> parts;
    if (limits.ramBytes > 0)
        parts.push_back(formatBytes(limits.ramBytes) + " of RAM");
    if (limits.pinnedBytes > 0)
        parts.push_back(formatBytes(limits.pinnedBytes) + " of pinned memory");
    if (limits.cores > 0)
        parts.push_back(fmt::format("{} cores", limits.cores));
    std::string text;
    for (std::size_t at = 0; at < parts.size(); ++at)
        text += (at == 0 ? "" : at + 1 == parts.size() ? " and " : ", ") + parts[at];
    return text;
}

std::string changeSentence(const Advice& advice)
{
    const AdvisorCandidate& now = advice.now;
    const AdvisorCandidate& advised = advice.advised;
    const std::string settings = settingsSentence(advised.scenario);
    if (!now.fits)
        return fmt::format("Set {}: {} per batch, and it fits; the present settings {}.", settings, rangeText(advised),
                           !now.error.empty()      ? "need more memory than there is"
                           : now.swapPeakBytes > 0 ? fmt::format("swap {}", formatBytes(now.swapPeakBytes))
                                                   : fmt::format("pin {}", formatBytes(now.pinnedPeakBytes)));
    return fmt::format("Set {}: {} per batch instead of {}, {}, for {} of pinned memory.", settings, rangeText(advised),
                       rangeText(now), timesText(now.batchNs, advised.batchNs), formatBytes(advised.pinnedPeakBytes));
}

std::string pinningOffSentence(const Advice& advice)
{
    const AdvisorCandidate& now = advice.now;
    const AdvisorCandidate& advised = advice.advised;
    const std::string settings = settingsSentence(advised.scenario);
    if (!now.fits)
        return fmt::format("Leave pinning off, and set {}: {} per batch, and it fits; the present settings do not.",
                           settings, rangeText(advised));
    return fmt::format("Set {}: {} per batch instead of {}, {}. Pinned memory is not needed for it.", settings,
                       rangeText(advised), rangeText(now), timesText(now.batchNs, advised.batchNs));
}

std::string stayingSentence(const Advice& advice)
{
    return fmt::format("Leave everything as it is: {} per batch, and none of {} combinations is {:.0f} % faster{}.",
                       rangeText(advice.now), advice.tried, kWorthwhile * 100,
                       advice.passedOver ? " and holds over the error of the simulation" : "");
}

// What one has less of than the settings as they are: "pinning and workers".
std::string givenUp(const AdvisorCandidate& candidate, const AdvisorCandidate& now)
{
    const Scenario &has = candidate.scenario, &had = now.scenario;
    std::vector<std::string> parts;
    if (had.pin != PinStrategy::None && has.pin == PinStrategy::None)
        parts.emplace_back("pinning");
    if (has.workers < had.workers)
        parts.emplace_back("workers");
    else if (has.workers * has.prefetchFactor < had.workers * had.prefetchFactor)
        parts.emplace_back("batches in flight");
    return fmt::format("{}", fmt::join(parts, " and "));
}

// What one needs more of than the settings that are advised: "workers and pinned memory".
std::string askedFor(const AdvisorCandidate& candidate, const AdvisorCandidate& advised)
{
    std::vector<std::string> parts;
    if (candidate.scenario.workers > advised.scenario.workers)
        parts.emplace_back("workers");
    if (candidate.pinnedPeakBytes > advised.pinnedPeakBytes)
        parts.emplace_back("pinned memory");
    return fmt::format("{}", fmt::join(parts, " and "));
}

// The settings that are simulated as faster, and why they are not advised.
std::string passedOverSentence(const Advice& advice)
{
    const AdvisorCandidate& passed = *advice.passedOver;
    const std::string lost = advice.now.fits ? givenUp(passed, advice.now) : std::string();
    const std::string asked = askedFor(passed, advice.advised);
    return fmt::format("Passed over: {}, {} per batch. That is {} less, inside the error, and {}.",
                       settingsSentence(passed.scenario), rangeText(passed),
                       winText(advice.advised.batchNs, passed.batchNs),
                       !lost.empty()    ? "gives up " + lost
                       : !asked.empty() ? "needs more " + asked
                                        : "at worst not told apart");
}

// Why pinned memory is not advised that costs no time in the simulation.
std::string whyNotThatSentence(const Advice& advice)
{
    const double pinnedNs = timeRange(*advice.pinned).highNs;
    const double advisedNs = timeRange(advice.advised).highNs;
    if (pinnedNs > advisedNs * (1 + kWorthwhile))
        return fmt::format(" It is not advised: its error in measured runs is larger, {} at worst against {}.",
                           timeText(pinnedNs), timeText(advisedNs));
    return " It is not advised: of settings that are as good, those with the least pinned memory are.";
}

// Against the verdict, which advises to pin where pageable copies stop the host.
std::string pinnedSentence(const Advice& advice)
{
    const AdvisorCandidate& pinned = *advice.pinned;
    const AdvisorCandidate& advised = advice.advised;
    const bool faster = pinned.batchNs < advised.batchNs * (1 - kWorthwhile);
    const bool slower = advised.batchNs < pinned.batchNs * (1 - kWorthwhile);
    const std::string against = faster   ? winText(advised.batchNs, pinned.batchNs) + " less, inside the error"
                                : slower ? winText(pinned.batchNs, advised.batchNs) + " more"
                                         : fmt::format("equal within {:.0f} %", kWorthwhile * 100);
    return fmt::format("The best with pinned memory takes {} per batch, {}: {}.{}", rangeText(pinned), against,
                       settingsSentence(pinned.scenario), slower ? "" : whyNotThatSentence(advice));
}

constexpr std::string_view kWhyNotPinned =
    "This holds for steps of few long kernels, as simulated: the launching thread, blocked by a pageable copy, is not "
    "needed while they run. For steps of many short kernels set pin_memory=True, as a verdict of pageable memory says.";

std::string measuredSentence(const Advice& advice)
{
    const AdviceMeasurement& measured = *advice.measured;
    const TimeRange range = timeRange(advice.advised);
    const bool within = measured.advisedNs >= range.lowNs && measured.advisedNs <= range.highNs;
    return fmt::format("Measured on {}: {} per batch now, {} as advised, {} the range.", measured.device,
                       timeText(measured.nowNs), timeText(measured.advisedNs), within ? "within" : "outside");
}

std::string sourceSentence(const Advice& advice)
{
    const bool other = !advice.profile.empty() && advice.profile != kHeldProfile;
    return fmt::format(
        "Simulated. The error is that of measured runs of Overlane's and PyTorch's loaders on the profile {}{}. A run "
        "on the GPU itself confirms the advice or not.",
        kHeldProfile, other ? fmt::format("; {} was not measured", advice.profile) : "");
}

}  // namespace

std::string settingsSentence(const Scenario& scenario)
{
    std::string text = scenario.pin == PinStrategy::None ? "pin_memory=False" : "pin_memory=True";
    text += scenario.nonBlocking ? ", non_blocking=True" : ", non_blocking=False";
    if (scenario.copyStream == CopyStream::Side)
        text += fmt::format(", a side stream with {} batch{} on the device", scenario.deviceBuffers,
                            scenario.deviceBuffers == 1 ? "" : "es");
    text += fmt::format(", num_workers={}", scenario.workers);
    if (scenario.workers > 0)
        text += fmt::format(", prefetch_factor={}", scenario.prefetchFactor);
    return text;
}

std::string adviceSentence(const Advice& advice)
{
    switch (advice.kind) {
        case AdviceKind::Change:
            return changeSentence(advice);
        case AdviceKind::PinningOff:
            return pinningOffSentence(advice);
        case AdviceKind::ComputeBound:
            return fmt::format(
                "Nothing to win: compute-bound. Kernels take {} of the {} of a batch, and none of {} "
                "combinations is {:.0f} % faster.",
                formatShare(std::min(1.0, advice.now.kernelNs / advice.now.batchNs)), rangeText(advice.now),
                advice.tried, kWorthwhile * 100);
        case AdviceKind::StayAsIs:
            return stayingSentence(advice);
        case AdviceKind::NothingFits:
            break;
    }
    return fmt::format(
        "Nothing fits into {}: of {} combinations even the smallest swaps or pins too much. Smaller "
        "batches or more memory are the way.",
        limitsText(advice.limits).empty() ? "this machine" : limitsText(advice.limits), advice.tried);
}

std::vector<std::string> adviceRemarks(const Advice& advice)
{
    std::vector<std::string> remarks;
    if (advice.kind == AdviceKind::NothingFits)
        return remarks;
    const AdvisorCandidate& fastest = advice.front.back();
    const AdvisorCandidate& advised = advice.advised;
    if (advice.pinned && advised.scenario.copyStream == CopyStream::Side)
        remarks.emplace_back(kWhyNotPinned);
    remarks.push_back(certaintySentence(advice));
    if (advice.passedOver)
        remarks.push_back(passedOverSentence(advice));
    else if (fastest.pinnedPeakBytes > advised.pinnedPeakBytes && fastest.batchNs < advised.batchNs)
        remarks.push_back(fmt::format("Diminishing returns: the fastest setting ({}) gains {} more but pins {}.",
                                      settingsSentence(fastest.scenario), winText(advised.batchNs, fastest.batchNs),
                                      formatBytes(fastest.pinnedPeakBytes)));
    if (advice.pageable && advised.pinnedPeakBytes > 0)
        remarks.push_back(fmt::format("Without pinned memory the best takes {} per batch: pinning wins {}.",
                                      rangeText(*advice.pageable), winText(advice.pageable->batchNs, advised.batchNs)));
    if (advice.pinned)
        remarks.push_back(pinnedSentence(advice));
    if (advice.leaner)
        remarks.push_back(fmt::format("Simulated as fast with {} of pinned memory instead of {}: {}.",
                                      formatBytes(advice.leaner->pinnedPeakBytes), formatBytes(advised.pinnedPeakBytes),
                                      settingsSentence(advice.leaner->scenario)));
    if (advice.kind != AdviceKind::ComputeBound)
        remarks.push_back(limitSentence(advised));
    if (!limitsText(advice.limits).empty())
        remarks.push_back(fmt::format("Within {}.", limitsText(advice.limits)));
    remarks.push_back(advice.measured ? measuredSentence(advice) : sourceSentence(advice));
    return remarks;
}

Blocks adviceBlocks(const Advice& advice)
{
    Blocks blocks{Sentence{adviceSentence(advice), Tone::Plain, true}};
    for (std::string& remark : adviceRemarks(advice)) {
        const Tone tone = remark == kWhyNotPinned ? Tone::Plain : Tone::Muted;  // it bounds the sentence above it
        blocks.emplace_back(Sentence{std::move(remark), tone});
    }
    return blocks;
}

}  // namespace overlane
