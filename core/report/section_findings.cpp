#include <fmt/format.h>

#include "core/base/units.h"
#include "core/compare/comparison_tables.h"
#include "core/compare/finding_changes.h"
#include "core/content/html.h"
#include "core/content/markup.h"
#include "core/report/report_sections.h"

namespace overlane
{
namespace
{

constexpr std::size_t kNameCharacters = 60;
constexpr std::size_t kMostChangedRows = 12;

std::string costCell(const FindingCost& cost, bool perStep)
{
    const bool idle = cost.gpuIdleNs > 0;
    const std::int64_t each = idle ? cost.gpuIdlePerStepNs : cost.hostBlockedPerStepNs;
    const std::int64_t total = idle ? cost.gpuIdleNs : cost.hostBlockedNs;
    if (total <= 0)
        return "<div class=\"cost\"><span>costs no time here</span></div>";
    const std::string_view what = idle ? "GPU idle" : "host blocked";
    std::string text =
        fmt::format("<div class=\"cost\"><b>{}</b><span>{}{}</span>",
                    formatDuration(perStep && each > 0 ? each : total), what, perStep && each > 0 ? " per step" : "");
    if (perStep && each > 0)
        text += fmt::format("<span>{} in all</span>", formatDuration(total));
    if (idle && cost.shareOfWall > 0)
        text += fmt::format("<span>{} of the time</span>", formatShare(cost.shareOfWall));
    return text + "</div>";
}

std::string evidenceText(const Trace& trace, const Finding& finding)
{
    if (finding.evidence.empty())
        return {};
    const EventIndex event = finding.evidence.front();
    const std::string more =
        finding.evidenceCount > 1 ? fmt::format(", the longest of {} events", formatCount(finding.evidenceCount)) : "";
    return fmt::format("<p class=\"note\">Seen at {}: <code>{}</code>, {}{}.</p>",
                       formatDuration(trace.interval(event).startNs),
                       markupText(shortened(trace.name(event), kNameCharacters)),
                       formatDuration(trace.interval(event).lengthNs()), more);
}

std::string changeText(const Finding& finding)
{
    std::string text;
    if (!finding.framework.empty() && finding.change != finding.changePyTorch)
        text = fmt::format("<dt>{}</dt><dd>{}</dd>", finding.framework, markupText(finding.change));
    else if (!finding.changePyTorch.empty())
        text += fmt::format("<dt>PyTorch</dt><dd>{}</dd>", markupText(finding.changePyTorch));
    if (!finding.changeCuda.empty() && finding.change != finding.changeCuda)
        text += fmt::format("<dt>CUDA</dt><dd>{}</dd>", markupText(finding.changeCuda));
    return text.empty() ? text : "<dl class=\"change\">" + text + "</dl>";
}

}  // namespace

std::string findingsSection(const ReportInput& input)
{
    const FindingList& list = input.judgement->findings;
    std::string text;
    if (!list.findings.empty()) {
        text += "<ol class=\"findings\">\n";
        for (const Finding& finding : list.findings) {
            const std::string_view severity = severityName(finding.severity);
            text += fmt::format(
                "<li id=\"finding-{0}\">{1}<div><h3><span class=\"badge {2}\">{2}</span>{3}</h3><p>{4}</p>{5}{6}"
                "</div></li>\n",
                finding.id, costCell(finding.cost, list.steps > 0), severity, markupText(finding.title),
                markupText(finding.sentence), changeText(finding), evidenceText(*input.trace, finding));
        }
        text += "</ol>\n";
    } else {
        text += "<p>None of the rules holds here.</p>\n";
    }
    if (!list.notChecked.empty()) {
        text += "<p class=\"note\">The trace cannot tell:</p>\n<ul class=\"note\">\n";
        for (const NotChecked& rule : list.notChecked)
            text += fmt::format("<li>{}: {}</li>\n", markupText(rule.title), markupText(rule.reason));
        text += "</ul>\n";
    }
    return htmlSection("findings", "Findings", text);
}

std::string comparisonSection(const ReportInput& input)
{
    const Comparison* comparison = input.baseline.comparison;
    if (!comparison)
        return {};
    std::string text = fmt::format(
        "<p class=\"lead\">{}</p>\n<p class=\"note\">A is <code>{}</code>, B is this trace; both from {} on.</p>\n",
        markupText(comparison->sentence), markupText(input.baseline.name),
        comparison->perStep
            ? fmt::format("{} and {}", comparison->alignment.a.firstStep, comparison->alignment.b.firstStep)
            : "their first GPU work");
    for (const DeviceComparison& device : comparison->devices) {
        if (comparison->devices.size() > 1)
            text += fmt::format("<h3>GPU {}</h3>\n", device.b.id);
        Table kernels = kernelTable(*comparison, device);
        std::erase_if(kernels.rows, [&](const Table::Row& row) {
            return kernels.at(row, "change_ns").value == durationCell(0).value;
        });
        kernels = kernels.picked({"name", "a_ns", "b_ns", "change_ns", "claim"}, kMostChangedRows);
        kernels.title = "Kernels that changed most";
        text += htmlText(meanTable(*comparison, device)) + htmlText(kernels);
    }
    if (input.baseline.findings)
        text += htmlText(
            findingTable(findingChanges(*input.baseline.findings, input.judgement->findings), comparison->perStep)
                .picked({"finding", "fate", "a_ns", "b_ns"}));
    return htmlSection("comparison", "Against the baseline", text);
}

}  // namespace overlane
