#include <fmt/format.h>

#include "core/compare/comparison_tables.h"
#include "core/compare/finding_changes.h"
#include "core/content/html.h"
#include "core/content/markup.h"
#include "core/findings/finding_blocks.h"
#include "core/report/report_sections.h"

namespace overlane
{
namespace
{

constexpr std::size_t kMostChangedRows = 12;

}  // namespace

std::string findingsSection(const ReportInput& input)
{
    const FindingList& list = input.judgement->findings;
    std::string text;
    for (const Finding& finding : list.findings)
        text += fmt::format(
            "<li id=\"finding-{0}\"><b>{1}</b><div><h3><span class=\"badge {2}\">{2}</span>{3}</h3>{4}</div></li>\n",
            finding.id, htmlText(costCell(finding.cost)), severityName(finding.severity), markupText(finding.title),
            htmlText(findingBlocks(finding, input.trace)));
    text = text.empty() ? "<p>None of the rules holds here.</p>\n" : "<ol class=\"findings\">\n" + text + "</ol>\n";
    text += htmlText(notCheckedList(list));
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
