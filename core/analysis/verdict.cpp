#include "core/analysis/verdict.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "core/base/units.h"

namespace overlane
{
namespace
{

// Below this part of the range, exposed copies are not worth anybody's time.
constexpr double kNegligibleShare = 0.02;
// From this part of the range on, kernels or an idle device name the limit.
constexpr double kDominantShare = 0.75;

double shareOf(std::int64_t partNs, std::int64_t wholeNs)
{
    return wholeNs > 0 ? static_cast<double>(partNs) / static_cast<double>(wholeNs) : 0;
}

// Fills the count of copies and the exposed time per cause.
void judgeCopies(const Analysis& analysis, const DeviceActivity& device, Interval range, Verdict& verdict)
{
    std::array<Verdict::CauseShare, kCopyCauseCount> shares{};
    const auto [first, last] = analysis.startingIn(device.h2dCopies, range);
    for (std::size_t at = first; at < last; ++at) {
        const CopyRecord& copy = device.h2dCopies[at];
        Verdict::CauseShare& share = shares[static_cast<std::size_t>(copy.cause)];
        share.cause = copy.cause;
        ++share.copies;
        share.exposedNs += copy.durationNs - copy.hiddenNs;
        ++verdict.copies;
        verdict.hiddenCopies += copy.cause == CopyCause::Hidden;
    }
    for (const Verdict::CauseShare& share : shares)
        if (share.copies > 0 && share.cause != CopyCause::Hidden)
            verdict.causes.push_back(share);
    std::stable_sort(
        verdict.causes.begin(), verdict.causes.end(),
        [](const Verdict::CauseShare& a, const Verdict::CauseShare& b) { return a.exposedNs > b.exposedNs; });
}

std::string countSentence(const Verdict& verdict)
{
    if (verdict.copies == 0)  // those that reach into the range started before it
        return fmt::format("A copy that started earlier, {} hidden", formatShare(verdict.hiddenShare));
    return fmt::format("{} of {} {} hidden ({})", formatCount(verdict.hiddenCopies), formatCount(verdict.copies),
                       verdict.copies == 1 ? "copy" : "copies", formatShare(verdict.hiddenShare));
}

void speakNeutral(const DeviceSummary& device, std::int64_t wallNs, Verdict& verdict)
{
    verdict.tone = VerdictTone::Neutral;
    if (shareOf(device.kernelBusyNs, wallNs) >= kDominantShare)
        verdict.sentence =
            fmt::format("Compute-bound: {}, {} exposed. The copies are hidden; pinning would change nothing here.",
                        countSentence(verdict), formatDuration(verdict.exposedNs));
    else
        verdict.sentence = fmt::format(
            "The copies cost next to nothing: {} exposed of {}. The device is idle for {} of the time, so look at the "
            "host first.",
            formatDuration(verdict.exposedNs), formatDuration(wallNs), formatShare(shareOf(device.idleNs, wallNs)));
}

void speakProblem(const DeviceSummary& device, std::int64_t wallNs, Verdict& verdict)
{
    verdict.tone = VerdictTone::Problem;
    verdict.sentence = countSentence(verdict) + fmt::format(", {} exposed", formatDuration(verdict.exposedNs));
    if (verdict.causes.empty()) {
        verdict.sentence += ": they reach out of the kernels that hide them.";
        verdict.advice = "Start each copy earlier: prefetch one more batch.";
        return;
    }
    verdict.cause = verdict.causes.front().cause;
    verdict.sentence += fmt::format("; main cause: {}.", causeName(*verdict.cause));
    verdict.advice = causeAdvice(*verdict.cause);
    if (device.kernelBusyNs == 0)
        verdict.advice = "No kernel runs in this range, so nothing could hide the copies; choose a longer range.";
    else if (shareOf(device.idleNs, wallNs) >= kDominantShare)
        verdict.sentence += fmt::format(" The device is idle for {} of the time: the host is the larger limit.",
                                        formatShare(shareOf(device.idleNs, wallNs)));
}

}  // namespace

Verdict verdict(const Analysis& analysis, const std::vector<Step>& steps, Interval range)
{
    Verdict verdict;
    const Summary summary = analysis.summarise(range);
    const DeviceSummary* device = summary.worst();
    if (!device) {
        verdict.sentence = "This trace has no GPU work: there are no copies to hide.";
        return verdict;
    }
    const auto activity = std::find_if(analysis.devices().begin(), analysis.devices().end(),
                                       [&](const DeviceActivity& candidate) { return candidate.id == device->id; });
    verdict.device = device->id;
    verdict.hiddenShare = device->overlapShare;
    verdict.exposedNs = device->exposedCopyNs;
    verdict.nowNs = device->wallNs;
    verdict.couldBeNs = std::max(device->idealNs, device->wallNs - device->exposedCopyNs);
    judgeCopies(analysis, *activity, range, verdict);

    if (const std::vector<Step> whole = stepsWithin(steps, range); !whole.empty()) {
        const auto count = static_cast<std::int64_t>(whole.size());
        verdict.perStep = true;
        verdict.nowNs /= count;
        verdict.couldBeNs /= count;
    }
    if (device->h2dBusyNs == 0 && verdict.copies == 0)
        verdict.sentence = device->kernelBusyNs == 0 ? "No GPU work in this range."
                                                     : "No host-to-device copy in this range: nothing to hide.";
    else if (shareOf(device->exposedCopyNs, device->wallNs) <= kNegligibleShare)
        speakNeutral(*device, device->wallNs, verdict);
    else
        speakProblem(*device, device->wallNs, verdict);
    return verdict;
}

Verdict verdict(const Trace& trace, Interval range)
{
    return verdict(Analysis(trace), findSteps(trace), range);
}

}  // namespace overlane
