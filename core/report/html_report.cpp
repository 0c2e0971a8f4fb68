#include "core/report/html_report.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

#include "core/report/markup.h"
#include "core/report/report_sections.h"
#include "core/report/report_style.h"
#include "core/report/timeline_svg.h"

namespace overlane
{
namespace
{

constexpr std::size_t kShownSteps = 3;

}  // namespace

Interval typicalRange(const StepSequence& sequence, Interval range)
{
    const std::vector<Step>& steps = sequence.steps;
    if (steps.size() <= kShownSteps)
        return range;
    const auto strangeness = [&](const Step& step) {
        const auto away = static_cast<double>(std::abs(step.timeNs - sequence.statistics.medianNs));
        return step.warmUp || step.outlier ? 1e18 : away;
    };
    std::size_t best = 0;
    double least = 1e30;
    for (std::size_t first = 0; first + kShownSteps <= steps.size(); ++first) {
        double sum = 0;
        for (std::size_t i = first; i < first + kShownSteps; ++i)
            sum += strangeness(steps[i]);
        if (sum < least) {
            least = sum;
            best = first;
        }
    }
    const Step& last = steps[best + kShownSteps - 1];
    return {steps[best].interval.startNs, last.interval.startNs + last.timeNs};
}

HtmlTable::HtmlTable(std::initializer_list<std::string_view> heads)
{
    for (std::string_view head : heads) {
        const std::string_view cssClass = head.starts_with('#')   ? " class=\"n\""
                                          : head.starts_with('@') ? " class=\"name\""
                                                                  : "";
        if (!cssClass.empty())
            head.remove_prefix(1);
        m_classes.push_back(cssClass);
        m_head += fmt::format("<th{}>{}</th>", cssClass == " class=\"n\"" ? cssClass : "", markupText(head));
    }
}

void HtmlTable::row(std::initializer_list<std::string> cells)
{
    m_rows += "<tr>";
    std::size_t column = 0;
    for (const std::string& cell : cells)
        m_rows += fmt::format("<td{}>{}</td>", m_classes[column++], cell);
    m_rows += "</tr>\n";
}

std::string HtmlTable::html() const
{
    return fmt::format("<div class=\"scroll\"><table><thead><tr>{}</tr></thead><tbody>\n{}</tbody></table></div>\n",
                       m_head, m_rows);
}

std::string htmlSection(std::string_view id, std::string_view title, std::string_view body, std::string_view cssClass)
{
    if (body.empty())
        return {};
    return fmt::format("<section id=\"{}\"{}>\n<h2>{}</h2>\n{}</section>\n", id,
                       cssClass.empty() ? "" : fmt::format(" class=\"{}\"", cssClass), title, body);
}

std::string htmlReport(const ReportInput& input)
{
    const Pyramid pyramid(*input.trace);
    const Summary& summary = input.judgement->summary;
    std::string page = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width,initial-scale=1\">\n<meta name=\"generator\" content=\"Overlane {}\">\n<meta "
        "name=\"color-scheme\" content=\"light dark\">\n<title>{} - Overlane report</title>\n<style>\n{}</style>\n"
        "</head>\n<body>\n{}<main>\n",
        markupText(input.version), markupText(input.name), reportStyle(), patternDefinitions());
    page += fmt::format(
        "<header class=\"top\"><span class=\"brand\">Overlane</span><span class=\"file\">{}</span></header>\n",
        markupText(input.name));
    page += verdictSection(input, summary);
    page += qualitySection(*input.trace);
    page += comparisonSection(input);
    page += timelineSection(input, pyramid);
    page += timeSection(input, summary);
    page += findingsSection(input);
    page += stepsSection(*input.steps);
    page += copiesSection(input);
    page += kernelsSection(input);
    page += factsSection(input);
    page += readingSection();
    page +=
        fmt::format("<footer>Written by Overlane {}.</footer>\n</main>\n</body>\n</html>\n", markupText(input.version));
    return page;
}

}  // namespace overlane
