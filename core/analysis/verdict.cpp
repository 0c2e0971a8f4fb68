#include "core/analysis/verdict.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "core/analysis/verdict_text.h"

namespace overlane
{
namespace
{

// From this part of the range on, kernels fill it; where copies are exposed they must fill more.
constexpr double kComputeBoundShare = 0.90;
constexpr double kComputeBoundShareBesideCopies = 0.95;
// Below this part of the range, a loss is not worth anybody's time.
constexpr double kNegligibleShare = 0.02;
// From this part on, a loss beside the main one is named.
constexpr double kNotableShare = 0.10;
// From this part on, it is the finding that the device has no work in most of the range.
constexpr double kMostlyEmptyShare = 0.5;
// A range of so many steps has a beginning that differs; a loss with this share of it in the first
// quarter is warm-up.
constexpr std::int64_t kManySteps = 16;
constexpr double kWarmUpShare = 0.75;

// Causes that a sentence counts with another one.
constexpr std::array<std::pair<LostCause, LostCause>, 2> kSpokenOfAs{
    {{LostCause::HostBetween, LostCause::Host}, {LostCause::Staging, LostCause::Copies}}};

bool atLeast(std::int64_t partNs, double share, std::int64_t wholeNs)
{
    return static_cast<double>(partNs) >= share * static_cast<double>(wholeNs);
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
    // Nothing can be done about the first and the last batch: they are named only where they are more than
    // all else together.
    if (verdict.causes.size() > 1 && verdict.causes.front().cause == CopyCause::OutsideKernels) {
        std::int64_t othersNs = 0;
        for (auto other = verdict.causes.begin() + 1; other != verdict.causes.end(); ++other)
            othersNs += other->exposedNs;
        if (othersNs >= verdict.causes.front().exposedNs)
            std::swap(verdict.causes[0], verdict.causes[1]);
    }
    // Copies that are hidden but for their ends may have more exposed time than all others.
    const std::int64_t endsNs = shares[static_cast<std::size_t>(CopyCause::Hidden)].exposedNs;
    if (!verdict.causes.empty() && verdict.exposedNs > 0 && verdict.causes.front().exposedNs >= endsNs)
        verdict.cause = verdict.causes.front().cause;
}

bool isIdleOfTheHost(LostCause cause)
{
    return cause != LostCause::Copies && cause != LostCause::ReadBack && cause != LostCause::OtherWork &&
           cause != LostCause::Swap;
}

// `early` is the summary of the first quarter of a range of many steps, else none: a loss that lies
// there nearly whole is warm-up.
void rankLosses(const DeviceSummary& device, const DeviceSummary* early, Verdict& verdict)
{
    std::array<std::int64_t, kLostCauseCount> lostNs = device.lostNs;
    const auto at = [](LostCause cause) { return static_cast<std::size_t>(cause); };
    verdict.endsNs = std::exchange(lostNs[at(LostCause::Ends)], 0);
    for (const auto& [part, whole] : kSpokenOfAs)
        lostNs[at(whole)] += std::exchange(lostNs[at(part)], 0);
    for (std::size_t cause = 0; cause < lostNs.size(); ++cause) {
        if (lostNs[cause] <= 0)
            continue;
        if (early && isIdleOfTheHost(static_cast<LostCause>(cause))) {
            std::int64_t earlyNs = early->lostNs[cause];
            for (const auto& [part, whole] : kSpokenOfAs)
                earlyNs += cause == at(whole) ? early->lostNs[at(part)] : 0;
            if (atLeast(earlyNs, kWarmUpShare, lostNs[cause])) {
                verdict.warmUpNs += lostNs[cause];
                continue;
            }
        }
        verdict.losses.push_back({static_cast<LostCause>(cause), lostNs[cause]});
    }
    std::stable_sort(verdict.losses.begin(), verdict.losses.end(),
                     [](const Verdict::Loss& a, const Verdict::Loss& b) { return a.lostNs > b.lostNs; });
}

VerdictFacts gatherFacts(const Analysis& analysis, const DeviceSummary& device, const DeviceActivity& activity,
                         std::int64_t steps, Interval range)
{
    VerdictFacts facts;
    facts.device = &device;
    facts.steps = steps;
    facts.range = range;
    if (device.kernels > 0)
        facts.meanKernelNs = device.kernelBusyNs / device.kernels;
    const auto [first, last] = analysis.startingIn(activity.h2dCopies, range);
    for (std::size_t at = first; at < last; ++at)
        if (activity.h2dCopies[at].hostMemory == MemoryKind::Pageable)
            facts.exposedPageableNs += activity.h2dCopies[at].durationNs - activity.h2dCopies[at].hiddenNs;
    if (const std::int64_t batches = steps > 0 ? steps : device.h2d; batches > 0)
        facts.batchBytes = device.h2dBytes / batches;
    for (const HostActivity::Actor& actor : analysis.host().actors) {
        const std::int64_t busyNs = actor.work.measureNs(range);
        if (actor.isWorker) {
            ++facts.workers;
            facts.workerBusyNs += busyNs;
        } else if (busyNs > facts.busiestHelperNs && actor.name != "main") {
            facts.busiestHelper = actor.name;
            facts.busiestHelperNs = busyNs;
        }
    }
    for (const HostActivity::LaunchingThread& thread : analysis.host().launchingThreads)
        facts.pageLockingNs += thread.time[static_cast<std::size_t>(HostDoing::PageLocking)].measureNs(range);
    facts.hostBetweenNs = device.lostNs[static_cast<std::size_t>(LostCause::HostBetween)];
    facts.swapBeforeBytes = analysis.memory().swapUsed.at(range.startNs);
    facts.swapPeakBytes = analysis.memory().swapUsed.peak(range);
    facts.pinnedPeakBytes = analysis.memory().pinned.peak(range);
    return facts;
}

// What the range would take without a loss: no less than the device's own work.
std::int64_t without(const Verdict::Loss& loss, const DeviceSummary& device)
{
    const std::int64_t deviceNs = std::max({device.kernelBusyNs, device.h2dBusyNs, device.d2hBusyNs});
    // Hiding a copy wins its exposed time; the time it was staged before may come back elsewhere.
    const std::int64_t wonNs = loss.cause == LostCause::Copies ? device.exposedCopyNs : loss.lostNs;
    return std::max(deviceNs, device.wallNs - wonNs);
}

void speak(const VerdictFacts& facts, Verdict& verdict)
{
    const DeviceSummary& device = *facts.device;
    const std::int64_t warmNs = device.wallNs - verdict.warmUpNs - verdict.endsNs;
    // Copies that are hidden but for their ends name nothing to change.
    const double needed = verdict.cause && atLeast(device.exposedCopyNs, kNegligibleShare, device.wallNs)
                              ? kComputeBoundShareBesideCopies
                              : kComputeBoundShare;
    const bool mostlyEmpty = atLeast(verdict.endsNs, kMostlyEmptyShare, device.wallNs);
    if (warmNs > 0)
        verdict.filledShare = std::min(1.0, static_cast<double>(device.kernelBusyNs) / static_cast<double>(warmNs));
    verdict.computeBound = device.kernelBusyNs > 0 && !mostlyEmpty &&
                           (verdict.losses.empty() || atLeast(device.kernelBusyNs, needed, warmNs));
    if (verdict.computeBound) {
        verdict.tone = VerdictTone::Neutral;
        verdict.sentence = computeBoundSentence(verdict, facts);
        return;
    }
    if (mostlyEmpty)
        verdict.losses.insert(verdict.losses.begin(), {LostCause::Ends, verdict.endsNs});
    if (verdict.losses.empty()) {
        verdict.tone = VerdictTone::Neutral;
        verdict.sentence = "Nothing runs in this range but the warm-up of the loader.";
        return;
    }
    const Verdict::Loss main = verdict.losses.front();
    const bool ofFirstBatch =
        main.cause == LostCause::Copies && verdict.cause == CopyCause::OutsideKernels && device.kernelBusyNs > 0;
    const bool named = main.cause != LostCause::Unknown && main.cause != LostCause::Ends && !ofFirstBatch &&
                       atLeast(main.lostNs, kNegligibleShare, device.wallNs);
    verdict.mainLoss = main.cause;
    verdict.tone = named ? VerdictTone::Problem : VerdictTone::Neutral;
    if (named)
        verdict.couldBeNs = without(main, device);
    verdict.sentence = lossSentence(main.cause, main.lostNs, verdict, facts);
    verdict.advice = lossAdvice(main.cause, verdict, facts);
    const bool worked = device.kernelBusyNs > 0 || device.h2dBusyNs > 0 || device.d2hBusyNs > 0;
    if (!worked)
        verdict.sentence = "No GPU work in this range. " + verdict.sentence;
    else if (main.cause != LostCause::Copies && device.h2dBusyNs > 0)
        verdict.sentence += " " + copiesSentence(verdict, facts);
    const auto next = std::find_if(verdict.losses.begin() + 1, verdict.losses.end(),
                                   [&](const Verdict::Loss& loss) { return loss.cause != LostCause::Copies; });
    if (worked && next != verdict.losses.end() && atLeast(next->lostNs, kNotableShare, device.wallNs))
        verdict.sentence += " " + nextLossSentence(*next, facts);
}

}  // namespace

namespace
{

// Steps are counted once for all devices; `early` is the summary of the first quarter of a range of many.
struct JudgedSteps {
    std::int64_t whole = 0;
    std::optional<Summary> early;
};

Verdict verdictOfDevice(const Analysis& analysis, const JudgedSteps& steps, const Summary& summary, std::size_t place)
{
    Verdict verdict;
    verdict.range = summary.range;
    const DeviceSummary& device = summary.devices[place];
    const DeviceActivity& activity = analysis.devices()[place];
    verdict.device = device.id;
    verdict.hiddenShare = device.overlapShare;
    verdict.exposedNs = device.exposedCopyNs;
    verdict.nowNs = device.wallNs;
    verdict.couldBeNs = device.wallNs;
    judgeCopies(analysis, activity, summary.range, verdict);
    // Too narrow for the copies, or nothing else is to be named and it is busy nearly all the time.
    verdict.linkBound =
        device.kernelBusyNs > 0 && device.h2dBusyNs > device.kernelBusyNs &&
        (activity.linkTooNarrow || (!verdict.cause && atLeast(device.h2dBusyNs, kComputeBoundShare, device.wallNs)));
    rankLosses(device, steps.early ? &steps.early->devices[place] : nullptr, verdict);
    speak(gatherFacts(analysis, device, activity, steps.whole, summary.range), verdict);
    if (steps.whole > 0) {
        verdict.perStep = true;
        verdict.nowNs /= steps.whole;
        verdict.couldBeNs /= steps.whole;
    }
    return verdict;
}

}  // namespace

Verdict verdict(const Analysis& analysis, const std::vector<Step>& steps, Interval range)
{
    const Summary summary = analysis.summarise(range);
    if (summary.devices.empty() || range.empty()) {
        Verdict none;
        none.range = range;
        none.sentence = summary.devices.empty() ? "This trace has no GPU work: there are no copies to hide."
                                                : "The range is empty.";
        return none;
    }
    JudgedSteps judged;
    judged.whole = static_cast<std::int64_t>(stepsWithin(steps, range).size());
    if (judged.whole >= kManySteps)
        judged.early = analysis.summarise(Interval{range.startNs, range.startNs + range.lengthNs() / 4});
    std::vector<Verdict> each;
    each.reserve(summary.devices.size());
    for (std::size_t place = 0; place < summary.devices.size(); ++place)
        each.push_back(verdictOfDevice(analysis, judged, summary, place));
    const auto rank = [&](const Verdict& of) {
        const DeviceSummary& device = summary.devices[static_cast<std::size_t>(&of - each.data())];
        return std::tuple(!of.computeBound, of.exposedNs, device.kernelBusyNs);
    };
    const auto worst = std::max_element(each.begin(), each.end(),
                                        [&](const Verdict& a, const Verdict& b) { return rank(a) < rank(b); });
    if (each.size() > 1)
        worst->sentence = worstDeviceSentence(summary, static_cast<std::size_t>(worst - each.begin()), worst->sentence);
    return std::move(*worst);
}

namespace
{

// A host runs ahead of its device: when the device ends what it had been asked for by a time. Where the
// trace does not say when it was asked, a pause longer than a step is the end.
std::int64_t endOfWorkAskedForBy(const DeviceActivity& device, std::int64_t timeNs, std::int64_t stepNs)
{
    auto gap = std::partition_point(device.idle.begin(), device.idle.end(),
                                    [&](const IdleGap& each) { return each.interval.endNs <= timeNs; });
    for (; gap != device.idle.end(); ++gap) {
        const bool known = gap->queuedNs != std::numeric_limits<std::int64_t>::max();
        if (known ? gap->queuedNs > timeNs : gap->interval.lengthNs() > stepNs)
            return gap->interval.startNs;
    }
    return device.busy.span().endNs;
}

}  // namespace

JudgedRange judgedRange(const Analysis& analysis, const std::vector<Step>& steps)
{
    JudgedRange judged;
    judged.range = analysis.span();
    std::optional<Interval> work;
    for (const DeviceActivity& device : analysis.devices()) {
        const Interval span = device.busy.span();
        if (device.busy.empty())
            continue;
        work = work ? Interval{std::min(work->startNs, span.startNs), std::max(work->endNs, span.endNs)} : span;
    }
    if (steps.size() >= 2) {
        judged.bySteps = true;
        judged.range = steps.front().interval;
        for (const Step& step : steps)
            judged.range.endNs = std::max(judged.range.endNs, step.interval.endNs);
        const std::int64_t stepsEndNs = judged.range.endNs;
        for (const DeviceActivity& device : analysis.devices())
            judged.range.endNs =
                std::max(judged.range.endNs, endOfWorkAskedForBy(device, stepsEndNs, stepTimeNs(steps)));
    } else if (work) {
        judged.range = *work;
    }
    judged.beforeNs = judged.range.startNs - analysis.span().startNs;
    judged.afterNs = analysis.span().endNs - judged.range.endNs;
    return judged;
}

Verdict verdictOfTrace(const Analysis& analysis, const std::vector<Step>& steps)
{
    const JudgedRange judged = judgedRange(analysis, steps);
    Verdict found = verdict(analysis, steps, judged.range);
    if (!analysis.devices().empty())
        if (const std::string leftOut = leftOutSentence(judged, analysis.span()); !leftOut.empty())
            found.sentence += " " + leftOut;
    return found;
}

Verdict verdict(const Trace& trace, Interval range)
{
    return verdict(Analysis(trace), findSteps(trace), range);
}

}  // namespace overlane
