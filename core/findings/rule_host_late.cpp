#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/advice.h"
#include "core/base/saturated.h"
#include "core/base/units.h"
#include "core/findings/rule.h"
#include "core/findings/rule_context.h"

namespace overlane
{
namespace
{

constexpr std::string_view kTooFewSamples =
    "Name the parts of the step (NVTX, torch.profiler.record_function), or record with more samples of the stacks "
    "(overlane record --stack-period 5): too few lie in this time to say where it goes.";

double shareNotShown(const RuleContext& context)
{
    std::int64_t notShownNs = 0;
    for (std::size_t device = 0; device < context.analysis.devices().size(); ++device)
        notShownNs = saturatedSum(notShownNs, context.facts.hostNotShown(device).measureNs(context.range));
    const std::int64_t costNs = context.costOf(RuleId::HostLate).gpuIdleNs;
    return costNs > 0 ? static_cast<double>(notShownNs) / static_cast<double>(costNs) : 0;
}

// What the thread did in the longest pieces: " (most: cudaMalloc, optimizer.step)".
std::string namesText(const RuleContext& context)
{
    constexpr std::size_t kPieces = 64;
    constexpr std::size_t kNames = 3;
    std::map<std::string, std::int64_t> byName;
    for (const OwnedPiece& owned : context.longestPieces(RuleId::HostLate, kPieces))
        if (owned.piece.cause != LostCause::HostBetween && owned.evidence.late.valid())
            byName[std::string(context.trace.name(owned.evidence.late))] += owned.piece.interval.lengthNs();
    std::vector<std::pair<std::int64_t, std::string>> names;
    names.reserve(byName.size());
    for (const auto& [name, lostNs] : byName)
        names.emplace_back(-lostNs, name);
    std::sort(names.begin(), names.end());
    std::string text;
    for (std::size_t at = 0; at < std::min(kNames, names.size()); ++at)
        text += (at == 0 ? " (longest: " : ", ") + names[at].second;
    return text.empty() ? text : text + ")";
}

// "works on other things, for 85 % of that in untraced host code"
std::string doingText(const RuleContext& context, const MainSense& main, double notShown,
                      const std::vector<CodeShare>& places)
{
    if (main.sense == FrameSense::Waits)
        return "waits for what another thread or process delivers";
    if (main.sense == FrameSense::Compiles)
        return "compiles";
    if (main.sense == FrameSense::Launches && isLaunching(places, context.placesOf(RuleId::LaunchBound)))
        return "is still issuing it";
    if (!places.empty())
        return "works on other things";
    if (notShown < 0.5)
        return "works on other things" + namesText(context);
    return fmt::format(
        "works on other things, for {} of that {}", formatShare(notShown),
        context.analysis.stacks().empty() ? "in untraced host code" : "in untraced host code with too few samples");
}

RuleAnswer askHostLate(const RuleContext& context)
{
    if (!context.hasHostCalls())
        return cannotTell("The trace holds no host calls, so what the host did then is not known.");
    if (context.costOf(RuleId::HostLate).shareOfWall < kProblemShare && !context.isHeadline(RuleId::HostLate))
        return {};
    const std::vector<CodeShare> places = context.placesOf(RuleId::HostLate);
    const MainSense main = mainSense(places);
    const double notShown = shareNotShown(context);
    const bool mostNotShown = notShown >= 0.5 && places.empty();
    const std::string cost = context.costText(RuleId::HostLate);
    RuleAnswer answer =
        context.rated(RuleId::HostLate, fmt::format("The GPU has nothing queued while the thread that launches {}; {}.",
                                                    doingText(context, main, notShown, places), cost));
    if (const std::optional<Remedy> remedy = remedyOf(context.heldBy(RuleId::HostLate).kind)) {
        answer.change = advice(*remedy, CopyRole::Unknown, context.analysis.program());
    } else if (main.sense == FrameSense::Waits) {
        const std::optional<OtherThread> other = context.busiestOther(RuleId::HostLate);
        answer.title = "The launching thread waits for another one";
        answer.sentence += otherThreadSentence(other);
        answer.change = hostAdvice(places, other, {}, context.analysis.program());
    } else if (main.sense == FrameSense::Compiles) {
        answer.title = "The launching thread compiles";
        answer.change = hostAdvice(places, {}, {}, context.analysis.program());
    } else if (!places.empty()) {
        const std::vector<CodeShare> launching = context.placesOf(RuleId::LaunchBound);
        if (main.sense == FrameSense::Launches && isLaunching(places, launching))
            answer.title = "Issuing work takes the host too long";
        answer.change = hostAdvice(places, {}, launching, context.analysis.program());
    } else if (mostNotShown) {
        answer.change = context.analysis.stacks().empty() ? context.trace.origin().howToShowHost : kTooFewSamples;
    }
    return answer;
}

}  // namespace

extern const Rule kHostLateRule{
    .rule = RuleId::HostLate,
    .id = "host-late",
    .title = "The launching thread is late",
    .sentence = "The thread that launches does other work while the GPU has nothing queued.",
    .lesson = "run_ahead",
    .helpPage = "findings-host",
    .changePyTorch =
        "Find what the launching thread does between the launches (the events listed) and move it to workers, "
        "out of the step, or onto the GPU.",
    .changeCuda = "Move the work between the launches to another thread, or queue more work ahead before doing it.",
    .remedy = Remedy::HostLess,
    .causes = {LostCause::Host, LostCause::HostBetween},
    .ask = &askHostLate,
    .inLaunchingThread = true,
};

}  // namespace overlane
