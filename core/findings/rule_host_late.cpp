#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "core/findings/rule_context.h"
#include "core/findings/rules.h"

namespace overlane
{
namespace
{

// What the thread did in most of the longest pieces: "(most: aten::copy_, optimizer.step)".
std::string namesText(const RuleContext& context)
{
    constexpr std::size_t kPieces = 64;
    constexpr std::size_t kNames = 3;
    std::map<std::string, std::int64_t> byName;
    std::int64_t betweenNs = 0;
    std::int64_t allNs = 0;
    for (const OwnedPiece& owned : context.longestPieces(RuleId::HostLate, kPieces)) {
        const std::int64_t lengthNs = owned.piece.interval.lengthNs();
        allNs += lengthNs;
        if (owned.piece.cause == LostCause::HostBetween)
            betweenNs += lengthNs;
        else if (owned.evidence.late.valid())
            byName[std::string(context.trace.name(owned.evidence.late))] += lengthNs;
    }
    if (betweenNs * 2 > allNs)
        return ", mostly in code that the trace does not show";
    std::vector<std::pair<std::int64_t, std::string>> names;
    for (const auto& [name, lostNs] : byName)
        names.emplace_back(-lostNs, name);
    std::sort(names.begin(), names.end());
    std::string text;
    for (std::size_t at = 0; at < std::min(kNames, names.size()); ++at)
        text += (at == 0 ? " (" : ", ") + names[at].second;
    return text.empty() ? text : text + ")";
}

RuleAnswer ask(const RuleContext& context)
{
    if (!context.hasHostCalls())
        return cannotTell("The trace holds no host calls, so what the host did meanwhile is not known.");
    if (context.costOf(RuleId::HostLate).shareOfWall < kProblemShare)
        return {};
    return context.rated(
        RuleId::HostLate,
        fmt::format("The GPU has nothing queued while the thread that launches works on other things{}; {}.",
                    namesText(context), context.costText(RuleId::HostLate)));
}

}  // namespace

const Rule kHostLateRule{
    RuleId::HostLate,
    "host-late",
    "The training thread launches too late",
    "Find what the training thread does between the launches (the events listed) and move it to workers, "
    "out of the step, or onto the GPU.",
    "Move the work between the launches to another thread, or queue more work ahead before doing it.",
    &ask,
    true,
};

}  // namespace overlane
