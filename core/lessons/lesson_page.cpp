#include "core/lessons/lesson_page.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "core/base/units.h"
#include "core/content/html.h"
#include "core/content/markup.h"
#include "core/lessons/lesson_sections.h"
#include "core/lessons/lesson_table.h"
#include "core/lessons/markdown.h"
#include "core/lod/pyramid.h"
#include "core/report/html_report.h"
#include "core/report/picture_lanes.h"
#include "core/report/report_sections.h"
#include "core/report/report_style.h"
#include "core/report/timeline_svg.h"

namespace overlane
{
namespace
{

constexpr std::string_view kLessonStyle = R"(
pre{background:var(--lanes);border:1px solid var(--border);border-radius:6px;padding:8px 12px;overflow-x:auto;font-size:13px}
#rule b{font-size:18px}
#seen h3+p b{color:var(--accent)}
ul{margin:6px 0 0;padding-left:26px}
a{color:var(--accent)}
@media print{a{color:inherit}#rule b{font-size:13pt}pre{font-size:8.5pt}.lane-picture{break-inside:avoid}}
)";

// The stretches shown of A and B: of one length, so that both have one scale.
std::vector<Interval> shownRanges(const LessonRun& run)
{
    std::vector<Interval> ranges;
    std::int64_t longest = 0;
    for (std::size_t i = 0; i < 2; ++i) {
        const JudgedRun& one = *run.runs()[i];
        ranges.push_back(typicalRange(one.steps, one.range()));
        longest = std::max(longest, ranges.back().lengthNs());
    }
    for (Interval& range : ranges)
        range.endNs = range.startNs + longest;
    return ranges;
}

std::string timelinesHtml(const LessonRun& run)
{
    const std::vector<Interval> ranges = shownRanges(run);
    std::string text = fmt::format(
        "<p class=\"note\">Three typical steps of the slower run, and as much time of the other: {} each, "
        "to one scale.</p>\n",
        formatDuration(ranges.front().lengthNs()));
    for (std::size_t i = 0; i < 2; ++i) {
        const JudgedRun& one = *run.runs()[i];
        const LessonScenario& scenario = run.lesson().scenarios[i];
        const Pyramid pyramid(one.result.trace);
        const PictureLanes picture = pictureLanes(one.result.trace, one.analysis);
        text += fmt::format("<div class=\"lane-picture\"><h3>{}: {}</h3>\n<div class=\"picture scroll\">\n",
                            scenario.name, markupText(scenario.label));
        text += timelineSvg(pyramid, picture.lanes, one.steps.steps, ranges[i],
                            fmt::format("Timeline of run {}: {}", scenario.name, scenario.label));
        text += "</div></div>\n";
    }
    return text + timelineLegend({&run.runs()[0]->result.trace, &run.runs()[1]->result.trace});
}

}  // namespace

std::string lessonPage(const LessonRun& run, const std::string& version)
{
    const Lesson& lesson = run.lesson();
    std::string page = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width,initial-scale=1\">\n<meta name=\"generator\" content=\"Overlane {}\">\n<meta "
        "name=\"color-scheme\" content=\"light dark\">\n<title>{} - Overlane lesson</title>\n<style>\n{}{}</style>\n"
        "</head>\n<body>\n{}<main>\n<header class=\"top\"><span class=\"brand\">Overlane lesson</span>"
        "<span class=\"file\">{}</span></header>\n",
        markupText(version), markupText(lesson.title), reportStyle(), kLessonStyle, patternDefinitions(),
        markupText(lessonFacts(run)));
    page += fmt::format("<section class=\"verdict\">\n<h1>{}</h1>\n<p class=\"lead\">{}</p>\n</section>\n",
                        markupText(lesson.title), markdownInlineHtml(lesson.summary));
    for (const LessonSection& section : lessonSections(run))
        page += htmlSection(section.id, section.title,
                            (section.id == "runs" ? timelinesHtml(run) + htmlText(lessonTable(run)) : "") +
                                markdownHtml(section.markdown));
    page += fmt::format(
        "<footer>Written by Overlane {}. Every figure comes from the runs above.</footer>\n</main>\n"
        "</body>\n</html>\n",
        markupText(version));
    return withWholeNumbers(std::move(page));
}

}  // namespace overlane
