#include "core/lessons/lesson_page.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/base/units.h"
#include "core/content/markup.h"
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
.claim{border-top:1px solid var(--border);padding:10px 0}
.claim:first-of-type{border-top:0}
.held{color:var(--good);font-weight:650}.failed{color:var(--error);font-weight:650}
.rule{font-size:18px;max-width:72ch}
.question{font-weight:600}
.answer{font-weight:650;color:var(--accent)}
ol.choices{list-style:upper-alpha;margin:6px 0 0;padding-left:26px}
a{color:var(--accent)}
@media print{a{color:inherit}.rule{font-size:13pt}pre{font-size:8.5pt}.lane-picture{break-inside:avoid}}
)";

std::string sourceHtml(const LessonSource& source)
{
    if (source.url.empty())
        return markdownInlineHtml(source.text);
    return fmt::format("<a href=\"{}\">{}</a>", markupText(source.url), markupText(source.text));
}

std::string questionsSection(const Lesson& lesson)
{
    std::string text;
    for (const LessonPrediction& prediction : lesson.predictions) {
        text += fmt::format("<p class=\"question\">{}</p>\n", markdownInlineHtml(prediction.question));
        if (prediction.choices.empty()) {
            text += "<p>Your number: ____________</p>\n";
            continue;
        }
        text += "<ol class=\"choices\">";
        for (const LessonChoice& choice : prediction.choices)
            text += fmt::format("<li>{}</li>", markdownInlineHtml(choice.text));
        text += "</ol>\n";
    }
    return htmlSection("predict", "Predict first", text);
}

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

std::string timelinesSection(const LessonRun& run)
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

std::string tableHtml(const LessonRun& run)
{
    const Lesson& lesson = run.lesson();
    std::string text = "<div class=\"scroll\"><table><thead><tr><th></th>";
    for (const LessonScenario& scenario : lesson.scenarios)
        text += fmt::format("<th class=\"n\">{}: {}</th>", scenario.name, markupText(scenario.label));
    text += "<th class=\"n\">B against A</th></tr></thead><tbody>\n";
    for (const LessonRow& row : lessonTable(run)) {
        text += fmt::format("<tr><td>{}</td>", markupText(row.label));
        for (const std::string& value : row.values)
            text += fmt::format("<td class=\"n\">{}</td>", markupText(value));
        text += fmt::format("<td class=\"n\">{}</td></tr>\n", markupText(row.change));
    }
    return text + "</tbody></table></div>\n";
}

std::string answersHtml(const LessonRun& run, const FigureSource& figures)
{
    std::string text;
    for (const LessonPrediction& prediction : run.lesson().predictions) {
        const LessonAnswer answer = run.answer(prediction);
        text += fmt::format("<p>{} <span class=\"answer\">{}</span></p>\n", markdownInlineHtml(prediction.question),
                            answer.problem.empty() ? markdownInlineHtml(answer.text)
                                                   : markupText("It cannot be told here: " + answer.problem + "."));
        text += markdownHtml(prediction.explanation.filled(figures));
    }
    return text;
}

std::string claimsSection(const LessonRun& run, const FigureSource& figures)
{
    std::string text;
    for (const LessonClaim& claim : run.lesson().claims) {
        const LessonVerdict verdict = run.verdict(claim.holds);
        const bool held = verdict == LessonVerdict::Held;
        text += fmt::format(
            "<div class=\"claim\"><p>\u201c{}\u201d <span class=\"muted\">{}</span></p>\n"
            "<p><span class=\"{}\">{}</span></p>\n",
            markdownInlineHtml(claim.says), sourceHtml(claim.source), held ? "held" : "failed",
            lessonVerdictName(verdict));
        text += markdownHtml(claim.figures.filled(figures));
        if (verdict != LessonVerdict::Unknown)
            text += markdownHtml((held ? claim.ifHeld : claim.ifNot).filled(figures));
        text += "</div>\n";
    }
    return htmlSection("claims", "What people say", text);
}

std::string exercisesSection(const Lesson& lesson)
{
    std::string text = "<p class=\"note\">The program checks them: <code>overlane lessons " + markupText(lesson.key) +
                       " --exercise 1 --set KEY=VALUE</code>, or the lesson in the window.</p>\n<ol>\n";
    for (const LessonExercise& exercise : lesson.exercises) {
        text += fmt::format(
            "<li><p>{}</p><p class=\"note\">Goal: <code>{}</code>. You may change: {}.{}</p></li>\n",
            markdownInlineHtml(exercise.task), markupText(exercise.goal.text()),
            [&] {
                std::string knobs;
                for (const std::string& knob : exercise.knobs)
                    knobs += fmt::format("{}<code>{}</code>", knobs.empty() ? "" : ", ", markupText(knob));
                return knobs;
            }(),
            exercise.hint.empty() ? "" : " " + markdownInlineHtml(exercise.hint));
    }
    return htmlSection("exercises", "Exercises", text + "</ol>\n");
}

std::string commandsSection(const LessonRun& run)
{
    std::string text = "<dl class=\"facts\">";
    for (const LessonScenario& scenario : run.lesson().scenarios)
        text += fmt::format("<dt>{}: {}</dt><dd><code>{}</code></dd>", scenario.name, markupText(scenario.label),
                            markupText(scenario.commandLine()));
    return htmlSection("again", "Run it again", text + "</dl>\n");
}

}  // namespace

std::string lessonPage(const LessonRun& run, const std::string& version)
{
    const Lesson& lesson = run.lesson();
    const FigureSource figures = run.source();
    const JudgedRun& first = *run.runs().front();
    const std::string where = run.measured() ? std::string("measured on this machine's GPU")
                                             : fmt::format("simulated on {}", first.device->name);
    std::string page = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width,initial-scale=1\">\n<meta name=\"generator\" content=\"Overlane {}\">\n<meta "
        "name=\"color-scheme\" content=\"light dark\">\n<title>{} - Overlane lesson</title>\n<style>\n{}{}</style>\n"
        "</head>\n<body>\n{}<main>\n<header class=\"top\"><span class=\"brand\">Overlane lesson</span>"
        "<span class=\"file\">{} minutes, {}</span></header>\n",
        markupText(version), markupText(lesson.title), reportStyle(), kLessonStyle, patternDefinitions(),
        lesson.minutes, markupText(where));
    page += fmt::format("<section class=\"verdict\">\n<h1>{}</h1>\n<p class=\"lead\">{}</p>\n</section>\n",
                        markupText(lesson.title), markdownInlineHtml(lesson.summary));
    page += htmlSection("situation", "The situation", markdownHtml(lesson.situation.filled(figures)));
    page += questionsSection(lesson);
    page += htmlSection("timelines", "Both runs", timelinesSection(run) + tableHtml(run));
    page += htmlSection("seen", "What they show", answersHtml(run, figures) + markdownHtml(run.seen()));
    page += htmlSection("rule", "The rule",
                        fmt::format("<p class=\"rule\">{}</p>\n<p class=\"note\">Source: {}.</p>\n",
                                    markdownInlineHtml(lesson.rule.text), sourceHtml(lesson.rule.source)));
    std::string left = "<ul>\n";
    for (const std::string& line : lesson.leftOut)
        left += fmt::format("<li>{}</li>\n", markdownInlineHtml(line));
    page += htmlSection("left-out", "What the simulation leaves out", left + "</ul>\n");
    page += claimsSection(run, figures);
    page += exercisesSection(lesson);
    page += commandsSection(run);
    page += fmt::format(
        "<footer>Written by Overlane {}. Every figure comes from the runs above.</footer>\n</main>\n"
        "</body>\n</html>\n",
        markupText(version));
    return page;
}

}  // namespace overlane
