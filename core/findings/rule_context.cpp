#include "core/findings/rule_context.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string_view>
#include <utility>

#include "core/analysis/pageable_memory.h"
#include "core/analysis/role_shares.h"
#include "core/analysis/steps.h"
#include "core/base/saturated.h"
#include "core/base/statistics.h"
#include "core/base/units.h"
#include "core/findings/cause_family.h"

namespace overlane
{
namespace
{

std::pair<std::vector<Interval>::const_iterator, std::vector<Interval>::const_iterator> piecesIn(const IntervalSet& set,
                                                                                                 Interval range)
{
    const std::vector<Interval>& all = set.intervals();
    const auto first =
        std::partition_point(all.begin(), all.end(), [&](Interval each) { return each.endNs <= range.startNs; });
    return {first, std::partition_point(first, all.end(), [&](Interval each) { return each.startNs < range.endNs; })};
}

LostCause causeAt(const LostTime& lost, std::int64_t timeNs)
{
    for (std::size_t cause = 0; cause < lost.size(); ++cause)
        if (lost[cause].measureNs({timeNs, timeNs + 1}) > 0)
            return static_cast<LostCause>(cause);
    return LostCause::Unknown;
}

}  // namespace

CopyCounts countCopies(const Analysis& analysis, const FindingFacts& facts, Interval range, bool toDevice)
{
    CopyCounts counts{};
    CopyCount all;
    std::array<std::array<std::int64_t, kCopyRoleCount>, kRuleCount + 1> carriedNs{};
    for (std::size_t device = 0; device < analysis.devices().size(); ++device) {
        const DeviceActivity& activity = analysis.devices()[device];
        const std::vector<CopyRecord>& copies = toDevice ? activity.h2dCopies : activity.d2hCopies;
        const std::vector<RuleId>& owners = toDevice ? facts.h2dOwners(device) : facts.d2hOwners(device);
        const auto [first, last] = analysis.startingIn(copies, range);
        for (std::size_t at = first; at < last; ++at) {
            const CopyRecord& copy = copies[at];
            CopyCount& count = counts[static_cast<std::size_t>(owners[at])];
            ++count.copies;
            count.bytes = saturatedSum(count.bytes, copy.bytes);
            count.durationNs = saturatedSum(count.durationNs, copy.durationNs);
            count.pageable += copy.hostMemory == MemoryKind::Pageable;
            count.pinned += copy.hostMemory == MemoryKind::Pinned;
            std::int64_t& carried =
                carriedNs[static_cast<std::size_t>(owners[at])][static_cast<std::size_t>(copy.role)];
            carried = saturatedSum(carried, copy.durationNs);
            all.allBytes = saturatedSum(all.allBytes, copy.bytes);
            all.unknownMemory += copy.hostMemory == MemoryKind::Unknown;
        }
        all.all += static_cast<std::int64_t>(last - first);
    }
    for (std::size_t rule = 0; rule < counts.size(); ++rule) {
        CopyCount& count = counts[rule];
        const auto most = std::max_element(carriedNs[rule].begin(), carriedNs[rule].end());
        if (*most > 0 && *most >= count.durationNs - *most)
            count.carries = static_cast<CopyRole>(most - carriedNs[rule].begin());
        count.all = all.all;
        count.allBytes = all.allBytes;
        count.unknownMemory = all.unknownMemory;
    }
    return counts;
}

FindingCost RuleContext::costOf(RuleId rule) const
{
    FindingCost cost;
    cost.hostBlockedNs = facts.held(rule).measureNs(range);
    const auto devices = static_cast<std::int64_t>(analysis.devices().size());
    for (std::size_t device = 0; kernelsKnown && device < analysis.devices().size(); ++device)
        cost.gpuIdleNs = saturatedSum(cost.gpuIdleNs, idleOf(rule, device));
    if (devices > 0)
        cost.shareOfWall = shareOf(cost.gpuIdleNs, range.lengthNs()) / static_cast<double>(devices);
    if (steps > 0) {
        cost.gpuIdlePerStepNs = devices > 0 ? inEachStepNs(cost.gpuIdleNs / devices) : 0;
        cost.hostBlockedPerStepNs = inEachStepNs(cost.hostBlockedNs);
    }
    return cost;
}

std::int64_t RuleContext::inEachStepNs(std::int64_t sumNs) const
{
    if (verdict.perStep)
        return perStepNs(sumNs, range, verdict.nowNs);
    return steps > 0 ? sumNs / steps : 0;
}

std::int64_t RuleContext::idleOf(RuleId rule, std::size_t device) const
{
    return facts.idle(device, rule).measureNs(range);
}

const CopyCount& RuleContext::copiesOf(RuleId rule) const
{
    return rowOf(rule).ofCopiesBack ? toHost(rule) : toDevice(rule);
}

std::int32_t RuleContext::deviceOf(RuleId rule) const
{
    std::int32_t most = -1;
    std::int64_t mostNs = 0;
    for (std::size_t device = 0; kernelsKnown && device < analysis.devices().size(); ++device)
        if (const std::int64_t idleNs = idleOf(rule, device); idleNs > mostNs) {
            mostNs = idleNs;
            most = analysis.devices()[device].id;
        }
    return most;
}

std::int64_t RuleContext::evidenceCount(RuleId rule) const
{
    const std::vector<RuleEvidence>& all = facts.evidence(rule);
    const auto before = [](const RuleEvidence& each, std::int64_t timeNs) { return each.startNs < timeNs; };
    const auto first = std::lower_bound(all.begin(), all.end(), range.startNs, before);
    return std::lower_bound(first, all.end(), range.endNs, before) - first;
}

std::int64_t RuleContext::pieceCount(RuleId rule) const
{
    std::int64_t pieces = 0;
    for (std::size_t device = 0; kernelsKnown && device < analysis.devices().size(); ++device) {
        const auto [first, last] = piecesIn(facts.idle(device, rule), range);
        pieces += last - first;
    }
    return pieces;
}

std::vector<OwnedPiece> RuleContext::longestPieces(RuleId rule, std::size_t most) const
{
    std::vector<OwnedPiece> owned;
    for (std::size_t device = 0; kernelsKnown && device < analysis.devices().size(); ++device) {
        const std::int32_t id = analysis.devices()[device].id;
        const auto [first, last] = piecesIn(facts.idle(device, rule), range);
        for (auto piece = first; piece != last; ++piece)
            owned.push_back({id, {piece->intersected(range), LostCause::Unknown}, {}});
    }
    const auto longer = [](const OwnedPiece& a, const OwnedPiece& b) {
        return std::pair(-a.piece.interval.lengthNs(), a.piece.interval.startNs) <
               std::pair(-b.piece.interval.lengthNs(), b.piece.interval.startNs);
    };
    const std::size_t kept = std::min(most, owned.size());
    std::partial_sort(owned.begin(), owned.begin() + static_cast<std::ptrdiff_t>(kept), owned.end(), longer);
    owned.resize(kept);
    for (OwnedPiece& each : owned) {
        each.piece.cause = causeAt(*analysis.lost(each.device), each.piece.interval.startNs);
        each.evidence = idleEvidence(trace, analysis, each.device, each.piece);
    }
    return owned;
}

RuleContext::HeldBy RuleContext::heldBy(RuleId rule) const
{
    constexpr std::size_t kPieces = 64;
    std::map<std::string_view, std::int64_t> byName;
    std::int64_t allNs = 0;
    for (const OwnedPiece& owned : longestPieces(rule, kPieces)) {
        const bool isLate = owned.piece.cause == LostCause::Host;
        const EventIndex event = isLate ? owned.evidence.late : owned.evidence.event;
        allNs = saturatedSum(allNs, owned.piece.interval.lengthNs());
        if (event.valid() && (isLate || owned.piece.cause == LostCause::Sync))
            byName[trace.name(event)] += owned.piece.interval.lengthNs();
    }
    const auto most = std::max_element(byName.begin(), byName.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most == byName.end() || most->second < allNs - most->second)
        return {};
    const ImplicitWait kind = implicitWaitOf(most->first);
    // As in core/analysis/implicit_loss.h.
    if (kind == ImplicitWait::Free && rule == RuleId::HostLate)
        return {};
    return {kind, std::string(most->first)};
}

// The verdict counts the copies of all findings, and those of none; what nearly is the same must not look like an
// error.
std::string RuleContext::allCopiesText(RuleId rule, std::int64_t idleNs) const
{
    constexpr double kNearlyAll = 0.9;
    const auto loss = std::find_if(verdict.losses.begin(), verdict.losses.end(),
                                   [](const Verdict::Loss& each) { return each.cause == LostCause::Copies; });
    if (loss == verdict.losses.end() || toDevice(rule).copies == 0 || idleNs >= loss->lostNs ||
        shareOf(idleNs, loss->lostNs) < kNearlyAll)
        return {};
    const std::string all = formatShare(shareOf(loss->lostNs, range.lengthNs()));
    return all == formatShare(shareOf(idleNs, range.lengthNs())) ? std::string()
                                                                 : fmt::format("; all copies together: {}", all);
}

std::string RuleContext::costText(RuleId rule) const
{
    const FindingCost cost = costOf(rule);
    std::string text;
    const auto devices = static_cast<std::int64_t>(analysis.devices().size());
    // Of several devices the one that it costs most, as the verdict speaks of one, and the average.
    std::int64_t idleNs = cost.gpuIdleNs;
    const std::int32_t most = deviceOf(rule);
    for (std::size_t device = 0; devices > 1 && device < analysis.devices().size(); ++device)
        if (analysis.devices()[device].id == most)
            idleNs = idleOf(rule, device);
    const std::string gpu = devices > 1 ? fmt::format("GPU {}", most) : std::string("the GPU");
    const std::string share =
        formatShare(shareOf(idleNs, range.lengthNs())) +
        (devices > 1 ? fmt::format("; {} on average of {} GPUs", formatShare(cost.shareOfWall), devices)
                     : allCopiesText(rule, idleNs));
    const double heldShare = shareOf(cost.hostBlockedNs, range.lengthNs());
    const bool perStep = verdict.perStep;
    const std::string held = formatDuration(perStep ? cost.hostBlockedPerStepNs : cost.hostBlockedNs);
    const std::string whole = formatDuration(perStep ? verdict.nowNs : range.lengthNs());
    if (!kernelsKnown)
        return fmt::format(
            "the host is blocked for {} of {}{}{} ({}); what the GPU loses by it cannot be told without all "
            "kernels",
            held, perStep ? "each " : "", whole, perStep ? " step" : "", formatShare(heldShare));
    if (cost.gpuIdleNs == 0)
        text = "it costs the GPU nothing here";
    else if (perStep)
        text = fmt::format("{} idles {} of each {} step ({})", gpu, formatDuration(inEachStepNs(idleNs)), whole, share);
    else
        text = fmt::format("{} idles {} of {} ({})", gpu, formatDuration(idleNs), whole, share);
    if (heldShare >= kProblemShare)
        text += fmt::format(", and the host is blocked for {}{}", held, perStep ? " of each step" : "");
    return text;
}

bool RuleContext::isWorthNaming(RuleId rule) const
{
    return costOf(rule).shareOfWall >= kWorthNaming || isHeadline(rule);
}

std::optional<RuleAnswer> RuleContext::answerWithoutPageable(RuleId rule) const
{
    const CopyCount& count = toDevice(rule);
    if (count.copies == 0) {
        const std::vector<DeviceActivity>& devices = analysis.devices();
        if (std::any_of(devices.begin(), devices.end(), std::mem_fn(&DeviceActivity::hasPageableNotJudged)))
            return cannotTell(std::string(kPageableNotJudged));
        return count.all > 0 && count.unknownMemory == count.all
                   ? cannotTell("The trace does not name the kind of host memory of its copies.")
                   : RuleAnswer{};
    }
    if (!isWorthNaming(rule) && count.bytes * 10 < count.allBytes)
        return RuleAnswer{};
    return std::nullopt;
}

bool RuleContext::isHeadline(RuleId rule) const
{
    const std::span<const RuleId> family =
        verdict.tone == VerdictTone::Problem ? rulesOf(verdict) : std::span<const RuleId>();
    if (!kernelsKnown || std::find(family.begin(), family.end(), rule) == family.end())
        return false;
    const std::vector<DeviceActivity>& devices = analysis.devices();
    const auto device = std::find_if(devices.begin(), devices.end(),
                                     [&](const DeviceActivity& each) { return each.id == verdict.device; });
    if (device == devices.end())
        return false;
    const auto place = static_cast<std::size_t>(device - devices.begin());
    const std::int64_t costNs = idleOf(rule, place);
    return costNs > 0 &&
           std::all_of(family.begin(), family.end(), [&](RuleId other) { return idleOf(other, place) <= costNs; });
}

std::vector<CodeShare> RuleContext::placesOf(RuleId rule) const
{
    const std::int32_t most = deviceOf(rule);
    for (std::size_t device = 0; device < analysis.devices().size(); ++device)
        if (analysis.devices()[device].id == most)
            return analysis.stacks().behind(analysis.devices()[device], analysis.host(), facts.idle(device, rule),
                                            range);
    return {};
}

std::optional<OtherThread> RuleContext::busiestOther(RuleId rule) const
{
    const std::int32_t most = deviceOf(rule);
    for (std::size_t device = 0; device < analysis.devices().size(); ++device)
        if (analysis.devices()[device].id == most)
            return analysis.stacks().busiestOther(analysis.devices()[device], analysis.host(), facts.idle(device, rule),
                                                  range);
    return {};
}

CopyRole RuleContext::roleOfAdvice(CopyRole role) const
{
    for (const DeviceActivity& device : analysis.devices())
        if (device.id == verdict.device)
            return overlane::roleOfAdvice(analysis, device, range, role);
    return role;
}

RuleAnswer RuleContext::rated(RuleId rule, std::string sentence) const
{
    const FindingCost cost = costOf(rule);
    const double share = kernelsKnown ? cost.shareOfWall : shareOf(cost.hostBlockedNs, range.lengthNs());
    RuleAnswer answer;
    answer.holds = true;
    answer.severity = share >= kProblemShare || isHeadline(rule) ? FindingSeverity::Problem : FindingSeverity::Hint;
    answer.sentence = std::move(sentence);
    if (rowOf(rule).inLaunchingThread) {
        answer.places = placesOf(rule);
        if (!answer.places.empty())
            answer.sentence += fmt::format(" The launching thread is then in {}.", codeSharesText(answer.places));
    }
    return answer;
}

RuleAnswer cannotTell(std::string reason)
{
    RuleAnswer answer;
    answer.notChecked = std::move(reason);
    return answer;
}

std::string copiesText(const CopyCount& count)
{
    const std::string carried =
        isOffloaded(count.carries) ? fmt::format(" of {}", copyRoleWords(count.carries)) : std::string();
    if (count.all == 1)
        return "1 copy" + carried;
    if (count.copies == count.all)
        return fmt::format("{} copies{}", formatCount(count.all), carried);
    if (carried.empty())
        return fmt::format("{} of {} copies", formatCount(count.copies), formatCount(count.all));
    return fmt::format("{} copies{} (of {})", formatCount(count.copies), carried, formatCount(count.all));
}

}  // namespace overlane
