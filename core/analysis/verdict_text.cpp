#include "core/analysis/verdict_text.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/analysis/loss_text.h"
#include "core/analysis/pageable_memory.h"
#include "core/analysis/steps.h"
#include "core/base/statistics.h"
#include "core/base/units.h"

namespace overlane
{

std::string lostText(std::int64_t lostNs, const VerdictFacts& facts)
{
    const std::int64_t wallNs = facts.device->wallNs;
    const std::string share = formatShare(shareOf(lostNs, wallNs));
    if (facts.perStep)
        return fmt::format("{} of each {} step ({})", formatDuration(perStepNs(lostNs, facts.range, facts.stepNs)),
                           formatDuration(facts.stepNs), share);
    return fmt::format("{} of {} ({})", formatDuration(lostNs), formatDuration(wallNs), share);
}

std::string pausesSentence(const VerdictFacts& facts)
{
    if (facts.steps == 0 || facts.perStep)
        return {};
    return fmt::format(
        "{} between steps {} {} of the range ({}), which no step's time holds.",
        facts.pauses.count == 1 ? std::string("A pause") : fmt::format("{} pauses", formatCount(facts.pauses.count)),
        facts.pauses.count == 1 ? "takes" : "take", formatDuration(facts.pauses.ns),
        formatShare(shareOf(facts.pauses.ns, facts.range.lengthNs())));
}

std::string pacedSentence(const VerdictFacts& facts)
{
    if (!facts.paced)
        return {};
    return fmt::format(
        "Every step takes {}, however long its GPU work: a display, a camera or a timer sets the pace, and faster work "
        "makes no step shorter.",
        formatDuration(facts.stepNs));
}

std::string hardlyAnyWorkSentence(const Verdict& verdict, const VerdictFacts& facts)
{
    return fmt::format("Next to no GPU work: it takes {} of the {} in this trace ({}). {}",
                       formatDuration(facts.workNs), formatDuration(facts.spanNs),
                       formatShare(shareOf(facts.workNs, facts.spanNs)), copiesSentence(verdict, facts));
}

std::string computeBoundSentence(const Verdict& verdict, const VerdictFacts& facts)
{
    const DeviceSummary& device = *facts.device;
    std::string text = fmt::format("Compute-bound: kernels fill {} of the time", formatShare(verdict.filledShare));
    if (verdict.warmUpNs > 0)
        text += fmt::format(", not counting {} idle early in the range", formatDuration(verdict.warmUpNs));
    if (shareOf(verdict.endsNs, device.wallNs) >= kNegligibleShare)
        text += fmt::format(" (without the {} at start and end)", formatDuration(verdict.endsNs));
    text += ".";
    if (const Verdict::Loss* most = verdict.losses.empty() ? nullptr : &verdict.losses.front();
        most && most->cause != LostCause::Unknown && shareOf(most->lostNs, device.wallNs) >= kNegligibleShare)
        text += fmt::format(" Most to win outside them: {}, {}.", lostCauseName(most->cause),
                            lostText(most->lostNs, facts));
    text += " " + copiesSentence(verdict, facts);
    if (device.h2dPageable > 0)
        text += fmt::format(
            " {} of them {} pageable; pinning would win {}.", formatCount(device.h2dPageable),
            device.h2dPageable == 1 ? "is" : "are",
            facts.exposedPageableNs > 0 ? formatDuration(facts.exposedPageableNs) + " at most" : "nothing here");
    else if (device.h2dPinned > 0 && device.h2dUnknown == 0)
        text += " The memory is pinned already.";
    return text;
}

std::string leftOutSentence(const ActiveRange& active, Interval span)
{
    const std::string_view unit = active.bySteps ? "step" : "GPU work";
    std::vector<std::string> parts;
    if (shareOf(active.beforeNs, span.lengthNs()) >= kNegligibleShare)
        parts.push_back(fmt::format("{} before the first {} (startup)", formatDuration(active.beforeNs), unit));
    if (active.warmUps > 0)
        parts.push_back(fmt::format("{} {} of warm-up ({})", formatCount(active.warmUps),
                                    active.warmUps == 1 ? "step" : "steps", formatDuration(active.warmUpNs)));
    else if (active.warmUpNs > 0)
        parts.push_back(fmt::format("{} up to the last long pause near the start (compilation, first use)",
                                    formatDuration(active.warmUpNs)));
    if (shareOf(active.afterNs, span.lengthNs()) >= kNegligibleShare)
        parts.push_back(fmt::format("{} after the last{}", formatDuration(active.afterNs),
                                    parts.empty() ? fmt::format(" {}", unit) : std::string()));
    if (parts.empty())
        return {};
    std::string text = parts.front();
    for (std::size_t at = 1; at < parts.size(); ++at)
        text += (at + 1 == parts.size() ? " and " : ", ") + parts[at];
    return fmt::format("Left out: {}.", text);
}

std::string worstDeviceSentence(const Summary& summary, std::size_t worst, const std::string& sentence)
{
    constexpr std::size_t kNamed = 3;
    const auto hides = [](const DeviceSummary& device) {
        return device.h2dBusyNs > 0 ? fmt::format("hides {} of its copy time", formatShare(device.overlapShare))
                                    : std::string("gets no copies from the host");
    };
    std::string others;
    if (summary.devices.size() <= kNamed + 1) {
        for (std::size_t at = 0; at < summary.devices.size(); ++at)
            if (at != worst)
                others += fmt::format("{}GPU {} {}", others.empty() ? "" : ", ", summary.devices[at].id,
                                      hides(summary.devices[at]));
    } else {
        double least = 1;
        double most = 0;
        for (std::size_t at = 0; at < summary.devices.size(); ++at)
            if (at != worst && summary.devices[at].h2dBusyNs > 0) {
                least = std::min(least, summary.devices[at].overlapShare);
                most = std::max(most, summary.devices[at].overlapShare);
            }
        others = least > most ? fmt::format("The other {} get no copies from the host", summary.devices.size() - 1)
                              : fmt::format("The other {} hide {} to {} of their copy time", summary.devices.size() - 1,
                                            formatShare(least), formatShare(most));
    }
    return fmt::format("GPU {}: {} {}.", summary.devices[worst].id, sentence, others);
}

std::string sharedDeviceSentence(const DeviceActivity& device)
{
    std::string text;
    if (device.hasPageableNotJudged)
        text = kPageableNotJudged;
    if (device.processesAtOnce > 1)
        text +=
            fmt::format("{}Kernels of {} processes run at once on this GPU: it idles only where none of them has work.",
                        text.empty() ? "" : " ", formatCount(device.processesAtOnce));
    return text;
}

std::string_view withoutLossText(const Verdict& verdict)
{
    if (verdict.mainLoss != LostCause::Copies)
        return "without that";
    return verdict.linkBound ? "at least, which the copies need on the link" : "with these copies hidden";
}

bool saysWhatIsWon(const Verdict& verdict)
{
    return verdict.couldBeNs < verdict.nowNs &&
           (verdict.linkBound || formatDuration(verdict.couldBeNs) != formatDuration(verdict.nowNs));
}

std::string nowAndWithoutSentence(const Verdict& verdict)
{
    if (verdict.tone != VerdictTone::Problem || !saysWhatIsWon(verdict))
        return {};
    return fmt::format("{} {} now, {} {}.", verdict.perStep ? "The average step takes" : "The range takes",
                       formatDuration(verdict.nowNs), formatDuration(verdict.couldBeNs), withoutLossText(verdict));
}

std::string devicesLeftOutSentence(std::size_t judged, std::size_t leftOut)
{
    return fmt::format("Of {} GPUs the {} with the most work are judged.",
                       formatCount(static_cast<std::int64_t>(judged + leftOut)),
                       formatCount(static_cast<std::int64_t>(judged)));
}

std::string nextLossSentence(const Verdict::Loss& loss, const Verdict& verdict, const VerdictFacts& facts)
{
    return fmt::format("Next: {}, {}{}.", lostCauseName(loss.cause), lostText(loss.lostNs, facts),
                       verdict.loaderSetsPace ? "; it wins nothing until the loader is faster" : "");
}

}  // namespace overlane
