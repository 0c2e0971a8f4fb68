#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string>
#include <vector>

#include "core/base/saturated.h"
#include "core/base/units.h"
#include "core/findings/rule.h"
#include "core/findings/rule_context.h"

namespace overlane
{
namespace
{

constexpr std::string_view kNotShown =
    "Find what the program does between the calls that the trace shows: record with Python stacks (with_stack=True), "
    "or "
    "name the parts of the step with torch.profiler.record_function.";

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

RuleAnswer ask(const RuleContext& context)
{
    if (!context.hasHostCalls())
        return cannotTell("The trace holds no host calls, so what the host did meanwhile is not known.");
    if (context.costOf(RuleId::HostLate).shareOfWall < kProblemShare && !context.isHeadline(RuleId::HostLate))
        return {};
    const std::vector<CodeShare> places = context.placesOf(RuleId::HostLate);
    const double notShown = shareNotShown(context);
    const bool mostNotShown = notShown >= 0.5 && places.empty();
    const std::string doing =
        mostNotShown ? fmt::format(", for {} of that in code that the trace does not show", formatShare(notShown))
                     : (places.empty() ? namesText(context) : std::string());
    RuleAnswer answer = context.rated(
        RuleId::HostLate,
        fmt::format("The GPU has nothing queued while the thread that launches works on other things{}; {}.", doing,
                    context.costText(RuleId::HostLate)));
    if (mostNotShown)
        answer.changePyTorch = kNotShown;
    if (!places.empty())
        answer.change =
            fmt::format("Begin with {}: move it to {}, out of the loop, or onto the GPU.", places.front().place,
                        context.analysis.program().hasLoader ? "workers" : "another thread");
    return answer;
}

}  // namespace

extern const Rule kHostLateRule{
    .rule = RuleId::HostLate,
    .id = "host-late",
    .title = "The training thread launches too late",
    .sentence = "The thread that launches does other work while the GPU has nothing queued.",
    .lesson = "run_ahead",
    .changePyTorch =
        "Find what the training thread does between the launches (the events listed) and move it to workers, "
        "out of the step, or onto the GPU.",
    .changeCuda = "Move the work between the launches to another thread, or queue more work ahead before doing it.",
    .remedy = Remedy::HostLess,
    .causes = {LostCause::Host, LostCause::HostBetween},
    .ask = &ask,
    .inLaunchingThread = true,
};

}  // namespace overlane
