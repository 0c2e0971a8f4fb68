#include "core/analysis/verdict.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "core/analysis/cause_table.h"
#include "core/analysis/copy_roles.h"
#include "core/analysis/device_losses.h"
#include "core/analysis/implicit_loss.h"
#include "core/analysis/loss_text.h"
#include "core/analysis/paced_steps.h"
#include "core/analysis/role_shares.h"
#include "core/analysis/verdict_text.h"
#include "core/base/saturated.h"

namespace overlane
{
namespace
{

// From this part of the range on, kernels fill it; where copies are exposed they must fill more.
constexpr double kComputeBoundShare = 0.90;
constexpr double kComputeBoundShareBesideCopies = 0.95;
// They do so, too, where they and the GPU's own latency between two of them fill this part and the largest loss, none
// of loading or copying, is below an eighth: the GPU's work is then seven times what the best change could win.
constexpr double kNearlyFilledShare = 0.85;
constexpr double kSmallestMainLoss = 0.125;
constexpr std::int64_t kLongestLatencyNs = 5'000;
// From this part of the range on, a wait for batches may be what all else depends on.
constexpr double kPaceShare = 0.05;
// From this part on, a loss beside the main one is named.
constexpr double kNotableShare = 0.10;
// From this part on, it is the finding that the device has no work in most of the range.
constexpr double kMostlyEmptyShare = 0.5;
// Below this part of the trace, without steps, GPU work is next to none: what fills it says nothing of the program.
constexpr double kHardlyAnyShare = 0.01;
// Nor do so few kernels and copies in all, of below this part.
constexpr std::size_t kHardlyAnyPieces = 4;
constexpr double kHardlyAnyShareOfFew = 0.1;

bool atLeast(std::int64_t partNs, double share, std::int64_t wholeNs)
{
    return static_cast<double>(partNs) >= share * static_cast<double>(wholeNs);
}

// Fills the count of copies and the exposed time per cause.
void countCopies(const Analysis& analysis, const DeviceActivity& device, Interval range, Verdict& verdict)
{
    const CopyGroups groups = groupCopies(analysis, device.h2dCopies, range);
    const CopyGroup& hidden = groups[static_cast<std::size_t>(CopyCause::Hidden)];
    for (const CopyGroup& group : groups) {
        verdict.copies += group.copies;
        verdict.copiesExposedNs = saturatedSum(verdict.copiesExposedNs, group.exposedNs);
    }
    verdict.hiddenCopies = hidden.copies;
    verdict.causes = exposedGroups(groups);
    // Nothing can be done about the first and the last batch: they are named only where they are more than
    // all else together.
    if (verdict.causes.size() > 1 && verdict.causes.front().cause == CopyCause::OutsideKernels) {
        std::int64_t othersNs = 0;
        for (auto other = verdict.causes.begin() + 1; other != verdict.causes.end(); ++other)
            othersNs = saturatedSum(othersNs, other->exposedNs);
        if (othersNs >= verdict.causes.front().exposedNs)
            std::swap(verdict.causes[0], verdict.causes[1]);
    }
    // Copies that are hidden but for their ends may have more exposed time than all others.
    if (!verdict.causes.empty() && verdict.exposedNs > 0 && verdict.causes.front().exposedNs >= hidden.exposedNs)
        verdict.cause = verdict.causes.front().cause;
}

// What is the same for every device.
VerdictFacts factsOfHost(const Analysis& analysis, const std::vector<Step>& steps, Interval range)
{
    VerdictFacts facts;
    facts.steps = wholeSteps(steps, range);
    facts.stepNs = averageStepNs(steps, range);
    facts.pauses = pausesBetween(steps, range);
    facts.perStep = facts.steps > 0 && !atLeast(facts.pauses.ns, kMuchPause, range.lengthNs());
    facts.range = range;
    facts.program = &analysis.program();
    for (const HostActivity::Actor& actor : analysis.host().actors) {
        const std::int64_t busyNs = actor.work.measureNs(range);
        if (actor.role == LoaderRole::Worker) {
            ++facts.workers;
            facts.workerBusyNs = saturatedSum(facts.workerBusyNs, busyNs);
        } else if (busyNs > facts.busiestHelperNs && actor.role != LoaderRole::Training) {
            facts.busiestHelper = actor.name;
            facts.busiestHelperNs = busyNs;
        }
    }
    for (const HostActivity::LaunchingThread& thread : analysis.host().launchingThreads)
        facts.pageLockingNs = saturatedSum(
            facts.pageLockingNs, thread.time[static_cast<std::size_t>(HostDoing::PageLocking)].measureNs(range));
    facts.swapBeforeBytes = analysis.memory().swapUsed.at(range.startNs);
    facts.swapPeakBytes = analysis.memory().swapUsed.peak(range);
    facts.pinnedPeakBytes = analysis.memory().pinned.peak(range);
    return facts;
}

// Whether batches are waited for while all that makes them is at work nearly all the time.
bool loaderSetsPace(const VerdictFacts& facts, const Verdict& verdict)
{
    const std::int64_t wallNs = facts.device->wallNs;
    const bool atWork = (facts.workers > 0 && atLeast(facts.workerBusyNs, kBusyWorkerShare, facts.workers * wallNs)) ||
                        atLeast(facts.busiestHelperNs, kBusyWorkerShare, wallNs);
    return wallNs > 0 && atWork &&
           std::any_of(verdict.losses.begin(), verdict.losses.end(), [&](const Verdict::Loss& loss) {
               return loss.cause == LostCause::Batches && atLeast(loss.lostNs, kPaceShare, wallNs);
           });
}

// Between kernels that were asked for early enough: no change of loading or copying wins it.
std::int64_t latencyNs(const Analysis& analysis, const DeviceActivity& activity, Interval range)
{
    const LostTime* lost = analysis.lost(activity.id);
    std::int64_t sumNs = 0;
    if (!lost)
        return sumNs;
    const std::vector<Interval>& all = (*lost)[static_cast<std::size_t>(LostCause::Dependency)].intervals();
    for (auto each =
             std::partition_point(all.begin(), all.end(), [&](Interval gap) { return gap.endNs <= range.startNs; });
         each != all.end() && each->startNs < range.endNs; ++each)
        if (each->lengthNs() <= kLongestLatencyNs)
            sumNs += each->intersected(range).lengthNs();
    return sumNs;
}

VerdictFacts factsOfDevice(const Analysis& analysis, const DeviceSummary& device, const DeviceActivity& activity,
                           VerdictFacts facts)
{
    facts.device = &device;
    facts.workNs = activity.busy.measureNs();
    facts.hasFewPieces =
        activity.kernels.size() + activity.h2dCopies.size() + activity.d2hCopies.size() <= kHardlyAnyPieces;
    facts.spanNs = analysis.span().lengthNs();
    facts.hasKernels = !activity.kernels.empty();
    if (device.kernels > 0)
        facts.meanKernelNs = device.kernelBusyNs / device.kernels;
    const auto [first, last] = analysis.startingIn(activity.h2dCopies, facts.range);
    for (std::size_t at = first; at < last; ++at)
        if (activity.h2dCopies[at].hostMemory == MemoryKind::Pageable)
            facts.exposedPageableNs = saturatedSum(facts.exposedPageableNs, activity.h2dCopies[at].exposedNs());
    facts.toDevice = mainRole(std::span(activity.h2dCopies).subspan(first, last - first));
    facts.adviseOn = roleOfAdvice(analysis, activity, facts.range, facts.toDevice);
    const auto [firstBack, lastBack] = analysis.startingIn(activity.d2hCopies, facts.range);
    facts.toHost = mainRole(std::span(activity.d2hCopies).subspan(firstBack, lastBack - firstBack));
    facts.adviseOnBack = roleOfAdvice(analysis, activity, facts.range, facts.toHost);
    std::int64_t pageableBack = 0;
    for (std::size_t at = firstBack; at < lastBack; ++at)
        pageableBack += activity.d2hCopies[at].hostMemory == MemoryKind::Pageable;
    facts.pageableToHost = 2 * pageableBack > static_cast<std::int64_t>(lastBack - firstBack);
    if (const std::int64_t batches = facts.steps > 0 ? facts.steps : device.h2d; batches > 0)
        facts.batchBytes = device.h2dBytes / batches;
    facts.latencyNs = latencyNs(analysis, activity, facts.range);
    facts.readsPageable = activity.hasPageableNotJudged;
    facts.graphKernelNs = activity.graphKernels.measureNs(facts.range);
    facts.hostBetweenNs = device.lostNs[static_cast<std::size_t>(LostCause::HostBetween)];
    return facts;
}

// The idle time of a loss; a late host's is in two parts.
IntervalSet idleOf(LostCause loss, const LostTime& lost)
{
    const auto setOf = [&](LostCause cause) -> const IntervalSet& { return lost[static_cast<std::size_t>(cause)]; };
    return loss == LostCause::Host ? unite(setOf(LostCause::Host), setOf(LostCause::HostBetween)) : setOf(loss);
}

// In which code the launching thread was while a loss of its own passed; nothing for other losses.
std::vector<CodeShare> placesOf(LostCause loss, const Analysis& analysis, const DeviceActivity& activity,
                                Interval range)
{
    const LostTime* lost = analysis.lost(activity.id);
    if (!lost || analysis.stacks().empty() || (loss != LostCause::Host && loss != LostCause::MakingBatches))
        return {};
    return analysis.stacks().behind(activity, analysis.host(), idleOf(loss, *lost), range);
}

// And what it did there, of the main loss.
void findPlace(const Verdict::Loss& loss, const Analysis& analysis, const DeviceActivity& activity, VerdictFacts& facts)
{
    const LostTime* lost = analysis.lost(activity.id);
    facts.hasStacks = !analysis.stacks().empty();
    if (!lost || !facts.hasStacks || (loss.cause != LostCause::Host && loss.cause != LostCause::MakingBatches))
        return;
    facts.places = loss.places;
    facts.launching = analysis.stacks().behind(activity, analysis.host(),
                                               (*lost)[static_cast<std::size_t>(LostCause::LaunchBound)], facts.range);
    if (mainSense(facts.places).sense == FrameSense::Waits)
        facts.other = analysis.stacks().busiestOther(activity, analysis.host(), idleOf(loss.cause, *lost), facts.range);
}

// What copies of one direction take at least: as long as they did, or where most of them are of pageable memory, as
// long as the link needs for their bytes (nothing, where no rate of it is known), since pinning them is what is
// advised.
std::int64_t leastCopyNs(std::int64_t busyNs, std::int64_t bytes, bool pageable, double linkBytesPerSecond)
{
    if (!pageable)
        return busyNs;
    if (linkBytesPerSecond <= 0)
        return 0;
    return std::min(busyNs, saturatedRound(static_cast<double>(bytes) / linkBytesPerSecond * 1e9));
}

// What the range would take without a loss: no less than the device's own work.
std::int64_t without(const Verdict::Loss& loss, const DeviceSummary& device, const DeviceActivity& activity,
                     const VerdictFacts& facts)
{
    const bool pageable = 2 * device.h2dPageable > device.h2d;
    const std::int64_t deviceNs = std::max(
        {device.kernelBusyNs, leastCopyNs(device.h2dBusyNs, device.h2dBytes, pageable, activity.linkBytesPerSecond),
         leastCopyNs(device.d2hBusyNs, device.d2hBytes, facts.pageableToHost, activity.linkBytesPerSecond),
         device.communicationBusyNs});
    // Hiding a copy wins its exposed time; the time it was staged before goes only where it is pinned. What lies under
    // communication wins nothing.
    std::int64_t wonNs = loss.cause == LostCause::Copies && !pageable ? device.exposedCopyNs : loss.lostNs;
    if (device.communicationBusyNs > 0)
        wonNs = std::min(wonNs, loss.lostNs);
    return std::max(deviceNs, device.wallNs - wonNs);
}

void speak(const DeviceActivity& activity, const VerdictFacts& facts, Verdict& verdict)
{
    const DeviceSummary& device = *facts.device;
    const std::int64_t warmNs = device.wallNs - verdict.warmUpNs - verdict.endsNs;
    // Copies that are hidden but for their ends name nothing to change.
    const double needed = verdict.cause && atLeast(device.exposedCopyNs, kNegligibleShare, device.wallNs)
                              ? kComputeBoundShareBesideCopies
                              : kComputeBoundShare;
    const bool mostlyEmpty = atLeast(verdict.endsNs, kMostlyEmptyShare, device.wallNs);
    verdict.carries = facts.toDevice;
    if (warmNs > 0)
        verdict.filledShare = std::min(1.0, static_cast<double>(device.kernelBusyNs) / static_cast<double>(warmNs));
    const bool filled =
        atLeast(device.kernelBusyNs, needed, warmNs) ||
        (needed == kComputeBoundShare && !verdict.losses.empty() && !rowOf(verdict.losses.front().cause).isOfData &&
         !atLeast(verdict.losses.front().lostNs, kSmallestMainLoss, warmNs) &&
         atLeast(saturatedSum(device.kernelBusyNs, facts.latencyNs), kNearlyFilledShare, warmNs));
    verdict.computeBound = device.kernelBusyNs > 0 && !mostlyEmpty && (verdict.losses.empty() || filled);
    // What a few kernels fill says no more of the program than they do.
    const bool fewKernels = verdict.computeBound && device.kernels <= static_cast<std::int64_t>(kHardlyAnyPieces);
    const double hardlyAnyShare = facts.hasFewPieces || fewKernels ? kHardlyAnyShareOfFew
                                  : verdict.computeBound           ? kHardlyAnyShare
                                                                   : 0;
    verdict.hardlyAnyWork = facts.steps == 0 && !mostlyEmpty && !atLeast(facts.workNs, hardlyAnyShare, facts.spanNs);
    if (verdict.hardlyAnyWork) {
        verdict.computeBound = false;
        verdict.tone = VerdictTone::Nothing;
        verdict.sentence = hardlyAnyWorkSentence(verdict, facts);
        verdict.advice = "Record a part of the program in which the GPU works, or more of it.";
        return;
    }
    if (verdict.computeBound) {
        verdict.tone = VerdictTone::Neutral;
        verdict.sentence = computeBoundSentence(verdict, facts);
        return;
    }
    if (mostlyEmpty)
        verdict.losses.insert(verdict.losses.begin(), {LostCause::Ends, verdict.endsNs, {}});
    if (verdict.losses.empty()) {
        verdict.tone = VerdictTone::Neutral;
        verdict.sentence = "Nothing runs in this range but the warm-up of the loader.";
        return;
    }
    const Verdict::Loss main = verdict.losses.front();
    const bool ofFirstBatch =
        main.cause == LostCause::Copies && verdict.cause == CopyCause::OutsideKernels && device.kernelBusyNs > 0;
    // Where no kernel runs there is nothing that copies could hide behind.
    const bool ofCopiesAlone = device.kernelBusyNs == 0 && rowOf(main.cause).goesWithCopies;
    const bool named = main.cause != LostCause::Unknown && main.cause != LostCause::Ends && !ofFirstBatch &&
                       !ofCopiesAlone && !facts.paced && atLeast(main.lostNs, kNegligibleShare, device.wallNs);
    verdict.mainLoss = main.cause;
    if (main.cause == LostCause::ReadBack)
        verdict.carries = facts.toHost;
    verdict.tone = named ? VerdictTone::Problem : VerdictTone::Neutral;
    const bool worked =
        device.kernelBusyNs > 0 || device.h2dBusyNs > 0 || device.d2hBusyNs > 0 || device.communicationBusyNs > 0;
    // Where the device did nothing, nothing says what it would have taken.
    if (named && worked)
        verdict.couldBeNs = without(main, device, activity, facts);
    verdict.sentence = lossSentence(main.cause, main.lostNs, verdict, facts);
    if (!facts.paced)
        verdict.advice = lossAdvice(main.cause, main.lostNs, verdict, facts);
    if (!worked)
        verdict.sentence = "No GPU work in this range. " + verdict.sentence;
    else if (main.cause != LostCause::Copies && device.h2dBusyNs > 0)
        verdict.sentence += " " + copiesSentence(verdict, facts);
    const auto next = std::find_if(verdict.losses.begin() + 1, verdict.losses.end(),
                                   [&](const Verdict::Loss& loss) { return loss.cause != LostCause::Copies; });
    if (worked && next != verdict.losses.end() && atLeast(next->lostNs, kNotableShare, device.wallNs))
        verdict.sentence += " " + nextLossSentence(*next, verdict, facts);
}

}  // namespace

namespace
{

// Steps are counted once for all devices; `early` is the summary of the first quarter of a range of many.
struct JudgedSteps {
    const std::vector<Step>& all;
    std::optional<Summary> early;
    VerdictFacts facts;
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
    countCopies(analysis, activity, summary.range, verdict);
    // Too narrow for the copies, or nothing else is to be named and it is busy nearly all the time.
    verdict.linkBound =
        device.kernelBusyNs > 0 && device.h2dBusyNs > device.kernelBusyNs &&
        (activity.linkTooNarrow || (!verdict.cause && atLeast(device.h2dBusyNs, kComputeBoundShare, device.wallNs)));
    DeviceLosses lost = lossesOf(device, steps.early ? &steps.early->devices[place] : nullptr);
    verdict.losses = std::move(lost.losses);
    verdict.warmUpNs = lost.warmUpNs;
    verdict.endsNs = lost.endsNs;
    VerdictFacts facts = factsOfDevice(analysis, device, activity, steps.facts);
    facts.paced = !verdict.losses.empty() && rowOf(verdict.losses.front().cause).group == CauseGroup::Host &&
                  arePaced(steps.all, activity, summary.range);
    verdict.loaderSetsPace = loaderSetsPace(facts, verdict);
    if (verdict.loaderSetsPace) {
        const auto batches = std::find_if(verdict.losses.begin(), verdict.losses.end(),
                                          [](const Verdict::Loss& loss) { return loss.cause == LostCause::Batches; });
        std::rotate(verdict.losses.begin(), batches, batches + 1);
    }
    for (Verdict::Loss& loss : verdict.losses)
        loss.places = placesOf(loss.cause, analysis, activity, summary.range);
    if (!verdict.losses.empty()) {
        const Verdict::Loss& main = verdict.losses.front();
        findPlace(main, analysis, activity, facts);
        const LostTime* byCause = analysis.lost(activity.id);
        const ImplicitLoss implicit =
            byCause ? implicitLoss(main.cause, *byCause, activity, analysis.host(), summary.range) : ImplicitLoss{};
        if (implicit.lostNs >= main.lostNs - implicit.lostNs)
            facts.implicit = implicit.kind;
    }
    speak(activity, facts, verdict);
    if (const std::string shared = sharedDeviceSentence(activity); !shared.empty())
        verdict.sentence += " " + shared;
    for (const std::string& more : {pacedSentence(facts), pausesSentence(facts)})
        if (!more.empty())
            verdict.sentence += " " + more;
    verdict.offload = offloadCeiling(analysis, activity, summary.range, facts.perStep ? facts.steps : 0, facts.stepNs);
    if (!verdict.offload.empty())
        verdict.sentence += " " + verdict.offload;
    if (facts.perStep) {
        const double left =
            verdict.nowNs > 0 ? static_cast<double>(verdict.couldBeNs) / static_cast<double>(verdict.nowNs) : 1;
        verdict.perStep = true;
        verdict.nowNs = facts.stepNs;
        verdict.couldBeNs = std::min(facts.stepNs, saturatedRound(left * static_cast<double>(facts.stepNs)));
    }
    return verdict;
}

}  // namespace

Interval firstQuarter(Interval range)
{
    return {range.startNs, range.startNs + range.lengthNs() / 4};
}

Verdict verdict(const Analysis& analysis, const std::vector<Step>& steps, Interval range)
{
    const Summary summary = analysis.summarize(range);
    if (summary.devices.empty() || range.empty()) {
        Verdict none;
        none.range = range;
        none.sentence = summary.devices.empty() ? "No verdict: this trace has no GPU work." : "The range is empty.";
        return none;
    }
    JudgedSteps judged{steps, {}, {}};
    judged.facts = factsOfHost(analysis, steps, range);
    if (judged.facts.steps >= kManySteps)
        judged.early = analysis.summarize(firstQuarter(range));
    std::vector<Verdict> each;
    each.reserve(summary.devices.size());
    for (std::size_t place = 0; place < summary.devices.size(); ++place)
        each.push_back(verdictOfDevice(analysis, judged, summary, place));
    const auto rank = [&](const Verdict& of) {
        const DeviceSummary& device = summary.devices[static_cast<std::size_t>(&of - each.data())];
        const bool named = of.tone == VerdictTone::Problem;
        return std::tuple(named, named ? of.losses.front().lostNs : 0, !of.computeBound,
                          of.exposedNs + device.exposedCommunicationNs, device.kernelBusyNs);
    };
    const auto worst = std::max_element(each.begin(), each.end(),
                                        [&](const Verdict& a, const Verdict& b) { return rank(a) < rank(b); });
    if (each.size() > 1)
        worst->sentence = worstDeviceSentence(summary, static_cast<std::size_t>(worst - each.begin()), worst->sentence);
    if (analysis.devicesLeftOut() > 0)
        worst->sentence += " " + devicesLeftOutSentence(each.size(), analysis.devicesLeftOut());
    return std::move(*worst);
}

Verdict verdictOfTrace(const Analysis& analysis, const std::vector<Step>& steps)
{
    const ActiveRange active = activeRange(analysis, steps);
    Verdict found = verdict(analysis, steps, active.range);
    if (!analysis.devices().empty())
        if (const std::string leftOut = leftOutSentence(active, analysis.span()); !leftOut.empty())
            found.sentence += " " + leftOut;
    return found;
}

Verdict verdict(const Trace& trace, Interval range)
{
    return verdict(Analysis(trace), findSteps(trace), range);
}

}  // namespace overlane
