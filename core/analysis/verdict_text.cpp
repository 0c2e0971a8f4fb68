#include "core/analysis/verdict_text.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

#include "core/analysis/advice.h"
#include "core/analysis/cause_table.h"
#include "core/analysis/pageable_memory.h"
#include "core/analysis/steps.h"
#include "core/base/statistics.h"
#include "core/base/units.h"

namespace overlane
{
namespace
{

// From this share on, another actor of the loader may hold it up.
constexpr double kNarrowestShare = 0.75;
constexpr double kBetweenShare = 0.25;

// "8.30 ms of each step (61 %)", or of the whole range where it holds no whole step.
std::string lostOf(std::int64_t lostNs, const VerdictFacts& facts)
{
    const std::int64_t wallNs = facts.device->wallNs;
    const std::string share = formatShare(shareOf(lostNs, wallNs));
    if (facts.steps > 0)
        return fmt::format("{} of each {} step ({})", formatDuration(perStepNs(lostNs, facts.range, facts.stepNs)),
                           formatDuration(facts.stepNs), share);
    return fmt::format("{} of {} ({})", formatDuration(lostNs), formatDuration(wallNs), share);
}

std::string swapSentence(const std::string& lost, const VerdictFacts& facts)
{
    if (facts.swapPeakBytes > facts.swapBeforeBytes)
        return fmt::format("The machine swaps: swap in use grows from {} to {}, and the GPU idles {}.",
                           formatBytes(facts.swapBeforeBytes), formatBytes(facts.swapPeakBytes), lost);
    return fmt::format("The machine swaps: the GPU idles {} while pages move to and from the drive.", lost);
}

std::string swapAdvice(const VerdictFacts& facts)
{
    std::string advice = "Hold fewer batches in memory: lower prefetch_factor, num_workers or the batch size";
    if (facts.batchBytes > 0) {
        advice += fmt::format("; a batch is {}", formatBytes(facts.batchBytes));
        if (facts.workers > 0)
            advice += fmt::format(", so with {} workers one less of prefetch_factor frees {}", facts.workers,
                                  formatBytes(facts.workers * facts.batchBytes));
        if (facts.swapPeakBytes > 0)
            advice += fmt::format(", and the {} in swap are {} batches", formatBytes(facts.swapPeakBytes),
                                  (facts.swapPeakBytes + facts.batchBytes - 1) / facts.batchBytes);
    }
    advice += ".";
    if (facts.pinnedPeakBytes > 0)
        advice += fmt::format(" Pinned memory cannot leave RAM: {} at its peak; pin less.",
                              formatBytes(facts.pinnedPeakBytes));
    return advice;
}

std::string batchesAdvice(const VerdictFacts& facts)
{
    if (facts.workers == 0)
        return "Raise num_workers, or make the transform cheaper; prefetch_factor helps only where batches vary.";
    const double busy = shareOf(facts.workerBusyNs, facts.workers * facts.device->wallNs);
    const double helperBusy = shareOf(facts.busiestHelperNs, facts.device->wallNs);
    if (helperBusy > busy && helperBusy >= kNarrowestShare)
        return fmt::format(
            "The {} is the narrowest place, busy {} of the time: pin fewer or smaller tensors, keep batches on the "
            "GPU's NUMA node, or copy into pinned buffers that are allocated once.",
            facts.busiestHelper, formatShare(helperBusy));
    if (busy < kBusyWorkerShare)
        return fmt::format(
            "The {} workers are busy {} of the time, so more of them alone may not help: raise prefetch_factor, and "
            "look at what stands between the workers and the training thread (pinning, uneven batches).",
            facts.workers, formatShare(busy));
    // The device could take a batch as often as its own work allows.
    const std::int64_t deviceNs = std::max<std::int64_t>(
        1, std::max({facts.device->kernelBusyNs, facts.device->h2dBusyNs, facts.device->d2hBusyNs}));
    const std::int64_t enough = std::max((facts.workerBusyNs + deviceNs - 1) / deviceNs, facts.workers + 1);
    const std::string atWork = fmt::format("The {} {} busy {} of the time",
                                           facts.workers == 1 ? std::string("one") : formatCount(facts.workers),
                                           facts.workers == 1 ? "worker is" : "workers are", formatShare(busy));
    const std::int64_t processors = facts.program->processors;
    if (processors == 0)
        return fmt::format(
            "{}: raise num_workers to about {}, as far as there are processors, or make the transform cheaper.", atWork,
            enough);
    if (enough <= processors)
        return fmt::format("{}: raise num_workers to about {}, or make the transform cheaper.", atWork, enough);
    if (facts.workers < processors)
        return fmt::format(
            "{}: raise num_workers to {}, as many as there are processors, and make the transform cheaper: "
            "about {} would keep up.",
            atWork, processors, enough);
    return fmt::format("{}, and there {}: make the transform cheaper, or move it to the GPU.", atWork,
                       processors == 1 ? std::string("is 1 processor") : fmt::format("are {} processors", processors));
}

std::string copiesAdvice(const Verdict& verdict, const VerdictFacts& facts)
{
    if (facts.device->kernelBusyNs == 0)
        return "No kernel runs in this range, so nothing could hide the copies; choose a longer range.";
    if (verdict.linkBound)
        return fmt::format("{} Even hidden the copies take longer than the kernels ({} against {}).",
                           overlane::advice(Remedy::SendLess, facts.adviseOn, *facts.program),
                           formatDuration(facts.device->h2dBusyNs), formatDuration(facts.device->kernelBusyNs));
    if (!verdict.cause)
        return std::string(overlane::advice(Remedy::Ahead, facts.adviseOn, *facts.program));
    if (*verdict.cause == CopyCause::UnknownMemory && facts.readsPageable)
        return "Time the loop with pinned memory, too, before it is changed: what that wins on this machine is not "
               "known.";
    std::string advice(causeAdvice(*verdict.cause, facts.adviseOn, *facts.program));
    const bool slowedByStaging = *verdict.cause == CopyCause::PageableMemory;
    if (!slowedByStaging && facts.device->h2dBusyNs > facts.device->kernelBusyNs)
        advice += fmt::format(" Even hidden the copies take longer than the kernels ({} against {}): send less.",
                              formatDuration(facts.device->h2dBusyNs), formatDuration(facts.device->kernelBusyNs));
    return advice;
}

// What cannot be told is said where it is much of the loss.
std::string betweenSentence(std::int64_t lostNs, const VerdictFacts& facts)
{
    const double share = shareOf(facts.hostBetweenNs, lostNs);
    if (share < kBetweenShare)
        return {};
    return fmt::format(
        " For {} of that the thread is between recorded events, {}.", formatShare(share),
        facts.hasStacks ? "and too few samples of its stack lie there" : "in code that the trace does not show");
}

std::string hostSentence(const std::string& lost, std::int64_t lostNs, const VerdictFacts& facts)
{
    const MainSense main = mainSense(facts.places);
    if (main.sense == FrameSense::Waits)
        return fmt::format("Waiting for another thread: the GPU idles {} while the launching thread waits in {}.{}{}",
                           lost, shortPlace(main.place->place), calledSentence({*main.place}),
                           otherThreadSentence(facts.other));
    if (main.sense == FrameSense::Compiles)
        return fmt::format("Compilation: the GPU idles {} while the launching thread compiles in {}.{}", lost,
                           shortPlace(main.place->place), calledSentence({*main.place}));
    if (main.sense == FrameSense::Launches && isLaunching(facts.places, facts.launching))
        return fmt::format(
            "Issuing work takes the host too long: the GPU idles {} while the launching thread issues it in "
            "{}.{}",
            lost, shortPlace(main.place->place), calledSentence({*main.place}));
    const std::string place = firstShareText(facts.places);
    return fmt::format("Host-bound: the GPU idles {} while the launching thread does other work{}.{}", lost, place,
                       place.empty() ? betweenSentence(lostNs, facts) : calledSentence(facts.places));
}

// Most of the kernels come from CUDA graphs: advice to use them says nothing new.
bool runsGraphs(const VerdictFacts& facts)
{
    const std::int64_t allNs = facts.device->kernelBusyNs + facts.device->exposedCommunicationNs;
    return facts.graphKernelNs > 0 && facts.graphKernelNs >= allNs / 2;
}

// What copies cost: "exposed: 11.8 ms of each 19.9 ms step (59 %), parameters", or where all that is lost with them is
// known, staging and all, "the GPU waits 12.3 ms of each 19.9 ms step (62 %) for parameters". What is offloaded is
// named; the input of an iteration is what a reader expects.
std::string copyCostText(const Verdict& verdict, const VerdictFacts& facts, std::int64_t lostNs)
{
    const std::string_view carried = isOffloaded(facts.toDevice) ? copyRoleWords(facts.toDevice) : "";
    if (lostNs > 0)
        return fmt::format("the GPU waits {} for {}", lostOf(lostNs, facts), carried.empty() ? "them" : carried);
    if (verdict.exposedNs == 0)
        return "exposed: nothing";
    return fmt::format("exposed: {}{}{}", lostOf(verdict.exposedNs, facts), carried.empty() ? "" : ", ", carried);
}

// "Results come back", "Activations go to the host".
std::string readBackSubject(CopyRole role)
{
    if (!isOffloaded(role))
        return "Results come back";
    std::string words(copyRoleWords(role));
    words.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(words.front())));
    const bool isOne = role == CopyRole::OptimizerState || role == CopyRole::KvCache;
    return fmt::format("{} {} to the host", words, isOne ? "goes" : "go");
}

bool atLeastShare(std::int64_t partNs, std::int64_t wholeNs)
{
    return shareOf(partNs, wholeNs) >= kNegligibleShare;
}

}  // namespace

std::string copiesSentence(const Verdict& verdict, const VerdictFacts& facts, std::int64_t lostNs)
{
    std::string text;
    if (verdict.copies == 0 && verdict.exposedNs == 0 && verdict.hiddenShare == 0)
        return "No host-to-device copy in this range: nothing to hide.";
    if (verdict.copies == 0)  // those that reach into the range started before it
        text = fmt::format("A copy that started earlier, hidden for {} of its time", formatShare(verdict.hiddenShare));
    else
        text = fmt::format("{} of {} {} hidden ({} of {} time)", formatCount(verdict.hiddenCopies),
                           formatCount(verdict.copies), verdict.copies == 1 ? "copy" : "copies",
                           formatShare(verdict.hiddenShare), verdict.copies == 1 ? "its" : "their");
    text += "; " + copyCostText(verdict, facts, lostNs);
    if (verdict.exposedNs == 0)
        return text + ".";
    if (!atLeastShare(verdict.exposedNs, facts.device->wallNs))
        return text + ": next to nothing.";
    if (verdict.linkBound)
        return text + fmt::format("; main cause: the link, busy {} of the time, the kernels {}.",
                                  formatShare(shareOf(facts.device->h2dBusyNs, facts.device->wallNs)),
                                  formatShare(shareOf(facts.device->kernelBusyNs, facts.device->wallNs)));
    if (!verdict.cause)
        return text + ": only the ends of hidden copies.";
    const Verdict::CauseShare& main = verdict.causes.front();
    if (main.copies == verdict.copies)
        return text + fmt::format("; main cause: {}.", causeName(main.cause));
    return text + fmt::format("; main cause: {} ({} of {} copies, {} of the exposed time).", causeName(main.cause),
                              formatCount(main.copies), formatCount(verdict.copies),
                              formatShare(shareOf(main.exposedNs, verdict.exposedNs)));
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
        text += fmt::format(" after {} of warm-up", formatDuration(verdict.warmUpNs));
    if (atLeastShare(verdict.endsNs, device.wallNs))
        text += fmt::format(" (without the {} at start and end)", formatDuration(verdict.endsNs));
    text += ".";
    if (const Verdict::Loss* most = verdict.losses.empty() ? nullptr : &verdict.losses.front();
        most && most->cause != LostCause::Unknown && atLeastShare(most->lostNs, device.wallNs))
        text +=
            fmt::format(" Most to win outside them: {}, {}.", lostCauseName(most->cause), lostOf(most->lostNs, facts));
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

std::string lossSentence(LostCause cause, std::int64_t lostNs, const Verdict& verdict, const VerdictFacts& facts)
{
    const std::string lost = lostOf(lostNs, facts);
    switch (cause) {
        case LostCause::Copies:
            return copiesSentence(verdict, facts, lostNs);
        case LostCause::ReadBack:
            return fmt::format("{} while nothing else runs: the GPU computes nothing for {}.",
                               readBackSubject(facts.toHost), lost);
        case LostCause::Communication:
            return fmt::format(
                "Communication-bound: for {} the GPU exchanges data with other GPUs and computes nothing; {} of its "
                "communication is hidden behind compute.",
                lost, formatShare(shareOf(facts.device->communicationHiddenNs, facts.device->communicationBusyNs)));
        case LostCause::Swap:
            return swapSentence(lost, facts);
        case LostCause::Batches:
            return fmt::format(
                "Waiting for batches: the GPU idles {} because the loader has not finished the next one{}.", lost,
                verdict.loaderSetsPace ? ", though it works all the time: it sets the pace" : "");
        case LostCause::MakingBatches:
            return fmt::format("The training thread makes the batches itself: the GPU idles {}{}.{}", lost,
                               firstShareText(facts.places), calledSentence(facts.places));
        case LostCause::Pinning:
            return facts.pageLockingNs * 2 >= lostNs
                       ? fmt::format("Memory is pinned in the loop: the GPU idles {}.", lost)
                       : fmt::format("The training thread pins each batch itself: the GPU idles {}.", lost);
        case LostCause::Sync:
            if (facts.implicit != ImplicitWait::None)
                return fmt::format(
                    "Implicit synchronization: {} waits until the GPU is done, and the GPU then idles {} until new "
                    "work arrives.",
                    implicitWaitWords(facts.implicit), lost);
            return fmt::format(
                "Synchronizing drains the GPU: the host waits until all is done, and the GPU then idles {} until new "
                "work arrives.",
                lost);
        case LostCause::LaunchBound:
            return fmt::format(
                "Launch-bound: the GPU idles {} between short kernels, each done before the next launch arrives; its "
                "{} "
                "kernels last {} on average.",
                lost, formatCount(facts.device->kernels), formatDuration(facts.meanKernelNs));
        case LostCause::Host:
            if (facts.implicit != ImplicitWait::None)
                return fmt::format("Host-bound: the GPU idles {} while {} blocks the launching thread.", lost,
                                   implicitWaitWords(facts.implicit));
            return hostSentence(lost, lostNs, facts);
        default:
            return fmt::format(fmt::runtime(rowOf(cause).sentence), lost);
    }
}

std::string lossAdvice(LostCause cause, const Verdict& verdict, const VerdictFacts& facts)
{
    const auto remedy = [&](Remedy what, CopyRole role) { return std::string(advice(what, role, *facts.program)); };
    switch (cause) {
        case LostCause::Copies:
            return copiesAdvice(verdict, facts);
        case LostCause::ReadBack:
            // Pageable memory holds the host, on whatever stream.
            return remedy(isOffloaded(facts.toHost) && facts.pageableToHost ? Remedy::Pin : Remedy::ReadLater,
                          facts.adviseOnBack);
        case LostCause::Migration:
            return std::string(causeAdvice(CopyCause::UnifiedMemory, facts.toDevice, *facts.program));
        case LostCause::Swap:
            return swapAdvice(facts);
        case LostCause::Batches:
            return batchesAdvice(facts);
        case LostCause::Pinning:
            return remedy(Remedy::PinOnce, facts.toDevice);
        case LostCause::Sync:
            return remedy(remedyOf(facts.implicit).value_or(Remedy::WaitLess), CopyRole::Unknown);
        case LostCause::LaunchBound:
            return runsGraphs(facts) ? "Launch less: put more of the loop into the CUDA graph, or use a larger batch."
                                     : remedy(Remedy::LaunchLess, CopyRole::Unknown);
        case LostCause::Dependency:
            return std::string("Look at what the work before each gap waits for: events between streams, ") +
                   (runsGraphs(facts) ? "or copies on the compute stream."
                                      : "copies on the compute stream, or many small kernels that a CUDA graph would "
                                        "start faster.");
        case LostCause::Host:
            if (const std::optional<Remedy> implicit = remedyOf(facts.implicit))
                return remedy(*implicit, CopyRole::Unknown);
            return hostAdvice(facts.places, facts.other, facts.launching, *facts.program);
        default:
            return std::string(rowOf(cause).advice);
    }
}

std::string leftOutSentence(const ActiveRange& active, Interval span)
{
    const std::string_view unit = active.bySteps ? "step" : "GPU work";
    std::vector<std::string> parts;
    if (atLeastShare(active.beforeNs, span.lengthNs()))
        parts.push_back(fmt::format("{} before the first {} (startup)", formatDuration(active.beforeNs), unit));
    if (active.warmUps > 0)
        parts.push_back(fmt::format("{} {} of warm-up ({})", formatCount(active.warmUps),
                                    active.warmUps == 1 ? "step" : "steps", formatDuration(active.warmUpNs)));
    else if (active.warmUpNs > 0)
        parts.push_back(fmt::format("{} up to the last long pause near the start (compilation, first use)",
                                    formatDuration(active.warmUpNs)));
    if (atLeastShare(active.afterNs, span.lengthNs()))
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
                                    : std::string("copies nothing");
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
        others = least > most ? fmt::format("The other {} copy nothing", summary.devices.size() - 1)
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
    return verdict.mainLoss == LostCause::Copies ? "with these copies hidden" : "without that";
}

std::string devicesLeftOutSentence(std::size_t judged, std::size_t leftOut)
{
    return fmt::format("Of {} GPUs the {} with the most work are judged.",
                       formatCount(static_cast<std::int64_t>(judged + leftOut)),
                       formatCount(static_cast<std::int64_t>(judged)));
}

std::string nextLossSentence(const Verdict::Loss& loss, const Verdict& verdict, const VerdictFacts& facts)
{
    return fmt::format("Next: {}, {}{}.", lostCauseName(loss.cause), lostOf(loss.lostNs, facts),
                       verdict.loaderSetsPace ? "; it wins nothing until the loader is faster" : "");
}

}  // namespace overlane
