#include "core/analysis/loss_text.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <string_view>
#include <variant>

#include "core/analysis/cause_table.h"
#include "core/base/statistics.h"
#include "core/base/units.h"

namespace overlane
{
namespace
{

// From this share on, another actor of the loader may hold it up.
constexpr double kNarrowestShare = 0.75;
constexpr double kBetweenShare = 0.25;

std::string inWords(const LossText& text, const LossFacts& loss)
{
    if (const auto* made = std::get_if<LossFunction>(&text))
        return (*made)(loss);
    return fmt::format(fmt::runtime(std::get<std::string_view>(text)), loss.lost);
}

// What cannot be told is said where it is much of the loss.
std::string betweenSentence(const LossFacts& loss)
{
    const VerdictFacts& facts = loss.facts;
    const double share = shareOf(facts.hostBetweenNs, loss.lostNs);
    if (share < kBetweenShare)
        return {};
    return fmt::format(" {} of that is untraced host code{}.", formatShare(share),
                       facts.hasStacks ? " with too few samples of its stack" : "");
}

// What copies cost: "exposed: 11.8 ms of each 19.9 ms step (59 %), parameters", or where all that is lost with them is
// known, staging and all, "the GPU waits 12.3 ms of each 19.9 ms step (62 %) for parameters". What is offloaded is
// named; the input of an iteration is what a reader expects.
std::string copyCostText(const Verdict& verdict, const VerdictFacts& facts, std::int64_t lostNs)
{
    const std::string_view carried = isOffloaded(facts.toDevice) ? copyRoleWords(facts.toDevice) : "";
    if (lostNs > 0)
        return fmt::format("the GPU waits {} for {}", lostText(lostNs, facts),
                           !carried.empty()      ? carried
                           : verdict.copies == 1 ? "it"
                                                 : "them");
    if (verdict.exposedNs == 0)
        return "exposed: nothing";
    return fmt::format("exposed: {}{}{}", lostText(verdict.exposedNs, facts), carried.empty() ? "" : ", ", carried);
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

}  // namespace

std::string LossFacts::advised(Remedy remedy, CopyRole role) const
{
    return std::string(advice(remedy, role, *facts.program));
}

std::string lossSentence(LostCause cause, std::int64_t lostNs, const Verdict& verdict, const VerdictFacts& facts)
{
    return inWords(rowOf(cause).sentence, {lostNs, lostText(lostNs, facts), verdict, facts});
}

std::string lossAdvice(LostCause cause, std::int64_t lostNs, const Verdict& verdict, const VerdictFacts& facts)
{
    return inWords(rowOf(cause).advice, {lostNs, lostText(lostNs, facts), verdict, facts});
}

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
    if (shareOf(verdict.exposedNs, facts.device->wallNs) < kNegligibleShare)
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
                              formatShare(shareOf(main.exposedNs, verdict.copiesExposedNs)));
}

std::string noKernelAdvice(const VerdictFacts& facts)
{
    return facts.hasKernels ? "No kernel runs in this range, so nothing could hide the copies; choose a longer range."
                            : "No kernel runs in this trace, so nothing could hide the copies.";
}

std::string copiesAdvice(const LossFacts& loss)
{
    const VerdictFacts& facts = loss.facts;
    const Verdict& verdict = loss.verdict;
    if (facts.device->kernelBusyNs == 0)
        return noKernelAdvice(facts);
    if (verdict.linkBound)
        return fmt::format("{} Even hidden the copies take longer than the kernels ({} against {}).",
                           loss.advised(Remedy::SendLess, facts.adviseOn), formatDuration(facts.device->h2dBusyNs),
                           formatDuration(facts.device->kernelBusyNs));
    if (!verdict.cause)
        return loss.advised(Remedy::Ahead, facts.adviseOn);
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

std::string readBackSentence(const LossFacts& loss)
{
    if (loss.facts.device->kernelBusyNs == 0)
        return fmt::format("No kernel runs: copies back to the host take {}.", loss.lost);
    return fmt::format("{} while nothing else runs: the GPU computes nothing for {}.",
                       readBackSubject(loss.facts.toHost), loss.lost);
}

std::string swapSentence(const LossFacts& loss)
{
    const VerdictFacts& facts = loss.facts;
    if (facts.swapPeakBytes > facts.swapBeforeBytes)
        return fmt::format("The machine swaps: swap in use grows from {} to {}, and the GPU idles {}.",
                           formatBytes(facts.swapBeforeBytes), formatBytes(facts.swapPeakBytes), loss.lost);
    return fmt::format("The machine swaps: the GPU idles {} while pages move to and from the drive.", loss.lost);
}

std::string swapAdvice(const LossFacts& loss)
{
    const VerdictFacts& facts = loss.facts;
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

std::string batchesAdvice(const LossFacts& loss)
{
    const VerdictFacts& facts = loss.facts;
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
    // A batch could be taken as often as all else allows: the device's work, and the host's.
    const std::int64_t otherNs =
        std::max<std::int64_t>(1, std::max({facts.device->kernelBusyNs, facts.device->h2dBusyNs,
                                            facts.device->d2hBusyNs, facts.device->wallNs - loss.lostNs}));
    const std::int64_t enough = std::max((facts.workerBusyNs + otherNs - 1) / otherNs, facts.workers + 1);
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

std::string hostSentence(const LossFacts& loss)
{
    const VerdictFacts& facts = loss.facts;
    if (facts.implicit != ImplicitWait::None)
        return fmt::format("Host-bound: the GPU idles {} while {} blocks the launching thread.", loss.lost,
                           implicitWaitWords(facts.implicit));
    const MainSense main = mainSense(facts.places);
    if (main.sense == FrameSense::Waits)
        return fmt::format("Waiting for another thread: the GPU idles {} while the launching thread waits in {}.{}{}",
                           loss.lost, shortPlace(main.place->place), calledSentence({*main.place}),
                           otherThreadSentence(facts.other));
    if (main.sense == FrameSense::Compiles)
        return fmt::format("Compilation: the GPU idles {} while the launching thread compiles in {}.{}", loss.lost,
                           shortPlace(main.place->place), calledSentence({*main.place}));
    if (main.sense == FrameSense::Launches && isLaunching(facts.places, facts.launching))
        return fmt::format(
            "Issuing work takes the host too long: the GPU idles {} while the launching thread issues it in "
            "{}.{}",
            loss.lost, shortPlace(main.place->place), calledSentence({*main.place}));
    const std::string place = firstShareText(facts.places);
    return fmt::format("Host-bound: the GPU idles {} while the launching thread does other work{}.{}", loss.lost, place,
                       place.empty() ? betweenSentence(loss) : calledSentence(facts.places));
}

bool runsGraphs(const VerdictFacts& facts)
{
    const std::int64_t allNs = facts.device->kernelBusyNs + facts.device->exposedCommunicationNs;
    return facts.graphKernelNs > 0 && facts.graphKernelNs >= allNs / 2;
}

}  // namespace overlane
