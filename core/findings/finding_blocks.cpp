#include "core/findings/finding_blocks.h"

#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>
#include <vector>

#include "core/base/units.h"
#include "core/content/markup.h"

namespace overlane
{
namespace
{

constexpr std::size_t kNameCharacters = 60;

std::string costOf(std::string_view what, std::int64_t totalNs, std::int64_t perStepNs)
{
    return perStepNs > 0
               ? fmt::format("{} {} a step, {} in all", what, formatDuration(perStepNs), formatDuration(totalNs))
               : fmt::format("{} {}", what, formatDuration(totalNs));
}

// Never empty.
std::string costText(const Finding& finding)
{
    const FindingCost& cost = finding.cost;
    std::vector<std::string> parts;
    if (cost.gpuIdleNs > 0)
        parts.push_back(costOf("GPU idle", cost.gpuIdleNs, cost.gpuIdlePerStepNs) +
                        fmt::format(", {} of the range", formatShare(cost.shareOfWall)));
    if (cost.hostBlockedNs > 0)
        parts.push_back(costOf("host blocked", cost.hostBlockedNs, cost.hostBlockedPerStepNs));
    if (!parts.empty())
        return fmt::format("{}", fmt::join(parts, "; "));
    return finding.severity == FindingSeverity::Hazard ? "no time, but results may be wrong" : "no time here";
}

}  // namespace

Cell costCell(const FindingCost& cost)
{
    const bool idle = cost.gpuIdleNs > 0;
    const std::int64_t totalNs = idle ? cost.gpuIdleNs : cost.hostBlockedNs;
    const std::int64_t perStepNs = idle ? cost.gpuIdlePerStepNs : cost.hostBlockedPerStepNs;
    if (totalNs == 0)
        return {};
    const std::string time = perStepNs > 0 ? formatDuration(perStepNs) + " a step" : formatDuration(totalNs);
    return {idle ? fmt::format("{}, {}", time, formatShare(cost.shareOfWall)) : "host blocked " + time, totalNs};
}

Blocks findingBlocks(const Finding& finding, const Trace* trace)
{
    Facts facts{{{"Cost", {costText(finding)}}}};
    const bool isOwn = !finding.framework.empty() && finding.change != finding.changePyTorch;
    const std::string& change = isOwn ? finding.change : finding.changePyTorch;
    if (!change.empty())
        facts.rows.emplace_back(isOwn                          ? fmt::format("In {}", finding.framework)
                                : change == finding.changeCuda ? "Change"
                                                               : "In PyTorch",
                                Cell{change});
    if (!finding.changeCuda.empty() && finding.changeCuda != change)
        facts.rows.emplace_back("In CUDA", Cell{finding.changeCuda});
    if (trace && !finding.evidence.empty()) {
        const std::string more = finding.evidenceCount > 1
                                     ? fmt::format(", the longest of {} events", formatCount(finding.evidenceCount))
                                     : "";
        facts.rows.emplace_back("Evidence", Cell{evidenceText(*trace, finding.evidence.front()) + more});
    }
    return {Sentence{finding.sentence}, std::move(facts)};
}

Sentence findingHead(const Finding& finding)
{
    std::string severity(severityName(finding.severity));
    severity.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(severity.front())));
    return {fmt::format("{}: {} [{}]", severity, finding.title, finding.id), Tone::Plain, true};
}

Blocks findingOverview(const FindingList& list)
{
    Blocks blocks;
    for (const Finding& finding : list.findings) {
        blocks.emplace_back(findingHead(finding));
        blocks.emplace_back(Sentence{finding.sentence, Tone::Muted});
        if (!finding.change.empty() && finding.severity != FindingSeverity::Hint)
            blocks.emplace_back(Sentence{"-> " + finding.change, Tone::Muted});
    }
    std::vector<std::string_view> rules;
    for (const NotChecked& rule : list.notChecked)
        rules.push_back(rule.id);
    // With no GPU work nothing is checked, and the verdict has said so.
    if (!rules.empty() && rules.size() < static_cast<std::size_t>(kRuleCount))
        blocks.emplace_back(Sentence{fmt::format("Not checked: {}.", fmt::join(rules, ", "))});
    return blocks;
}

List notCheckedList(const FindingList& list)
{
    List rules{"Not checked:", {}, Tone::Muted};
    for (const NotChecked& rule : list.notChecked)
        rules.items.push_back(fmt::format("{}: {}", rule.title, rule.reason));
    return rules;
}

std::string evidenceText(const Trace& trace, EventIndex event)
{
    const Interval at = trace.interval(event);
    const std::string name = shortened(trace.name(event), kNameCharacters);
    return fmt::format("{}, {} at {}", name.empty() ? kindName(trace.kind(event)) : name, formatDuration(at.lengthNs()),
                       formatDuration(at.startNs));
}

}  // namespace overlane
