#include "core/report/html_report.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <utility>

#include "core/content/html.h"
#include "core/content/markup.h"
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
    std::string page = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width,initial-scale=1\">\n<meta name=\"generator\" content=\"Overlane {}\">\n<meta "
        "name=\"color-scheme\" content=\"light dark\">\n<title>{} - Overlane report</title>\n<style>\n{}</style>\n"
        "</head>\n<body>\n{}<main>\n",
        markupText(input.version), markupText(input.name), reportStyle(), patternDefinitions());
    page += fmt::format(
        "<header class=\"top\"><span class=\"brand\">Overlane</span><span class=\"file\">{}</span></header>\n",
        markupText(input.name));
    page += verdictSection(input);
    page += qualitySection(*input.trace);
    page += comparisonSection(input);
    page += timelineSection(input, pyramid);
    page += timeSection(input);
    page += findingsSection(input);
    page += stepsSection(*input.steps);
    page += copiesSection(input);
    page += kernelsSection(input);
    page += factsSection(input);
    page += readingSection();
    page +=
        fmt::format("<footer>Written by Overlane {}.</footer>\n</main>\n</body>\n</html>\n", markupText(input.version));
    return withWholeNumbers(std::move(page));
}

}  // namespace overlane
