#include "core/cli/lesson_text.h"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>
#include <string_view>

#include "core/cli/figure_list.h"
#include "core/content/column_table.h"
#include "core/content/terminal.h"
#include "core/lessons/lesson_sections.h"
#include "core/lessons/lesson_table.h"
#include "core/lessons/markdown.h"
#include "core/loader/settings.h"
#include "core/runs/figures.h"
#include "core/runs/run_metrics.h"

namespace overlane
{
namespace
{

std::string wrapped(std::string_view text, std::string_view indent = "  ")
{
    return wrapText(markdownInlineText(text), indent);
}

}  // namespace

std::string lessonListText(const LessonLibrary& library)
{
    ColumnTable table({"key", "#min", "lesson"});
    for (const Lesson& lesson : library.lessons)
        table.row({lesson.key, std::to_string(lesson.minutes), lesson.title});
    std::istringstream lines(table.text(""));
    std::string text;
    std::string line;
    std::getline(lines, line);
    text += line + "\n";
    for (std::size_t place = 0; std::getline(lines, line); ++place) {
        if (beginsSubject(library.lessons, place))
            text += fmt::format("\n{}\n", subjectHeading(library.lessons[place]));
        text += line + "\n";
    }
    return text + "\nRun one with: overlane lessons KEY\n";
}

OrderedJson lessonListJson(const LessonLibrary& library)
{
    OrderedJson list = OrderedJson::array();
    for (const Lesson& lesson : library.lessons)
        list.push_back({{"key", lesson.key},
                        {"title", lesson.title},
                        {"summary", lesson.summary},
                        {"subject", lesson.subject},
                        {"minutes", lesson.minutes},
                        {"next", lesson.next}});
    OrderedJson faults = OrderedJson::array();
    for (const LessonFault& fault : library.faults)
        faults.push_back({{"file", fault.file}, {"line", fault.line}, {"message", fault.message}});
    return {{"lessons", list}, {"faults", faults}};
}

std::string metricsText()
{
    std::string text = "Metrics of a run, as in A.wall:\n" + metricLines();
    text += "\nFigures of the device profile, as in device.h2d_rate or device.transfer(64 MiB):\n";
    for (const DeviceFigure& figure : allDeviceFigures())
        text +=
            figureLine(std::string(figure.key) + (figure.takesBytes ? "(SIZE)" : ""), figure.unit, figure.description);
    return text + "\nSettings of a run, as in A.batch_bytes: those of 'overlane run --help' that are no choice.\n";
}

std::string lessonText(const LessonRun& run)
{
    const Lesson& lesson = run.lesson();
    std::string text =
        wrapText(fmt::format("{} ({})", lesson.title, lessonFacts(run)), "") + wrapped(lesson.summary, "");
    for (const LessonSection& section : lessonSections(run))
        text +=
            fmt::format("\n{}\n{}{}", section.title, section.id == "runs" ? terminalText(lessonTable(run)) + "\n" : "",
                        markdownText(section.markdown));
    if (!lesson.next.empty())
        text += fmt::format("\nNext: {}\n", fmt::join(lesson.next, ", "));
    return text;
}

OrderedJson lessonJson(const LessonRun& run)
{
    const Lesson& lesson = run.lesson();
    const FigureSource figures = run.source();
    OrderedJson json{{"lesson", lesson.key}, {"title", lesson.title}, {"simulated", !run.measured()}};
    OrderedJson runs = OrderedJson::object();
    for (std::size_t i = 0; i < run.runs().size(); ++i) {
        OrderedJson values = OrderedJson::object();
        for (const RunMetric& metric : allRunMetrics()) {
            const double value = metric.value(*run.runs()[i]);
            values[metric.key] = std::isnan(value) ? OrderedJson() : OrderedJson(value);
        }
        const LessonScenario& scenario = lesson.scenarios[i];
        runs[scenario.name] = {{"label", scenario.label}, {"command", scenario.commandLine()}, {"metrics", values}};
    }
    json["runs"] = runs;
    json["predictions"] = OrderedJson::array();
    for (const LessonPrediction& prediction : lesson.predictions) {
        const LessonAnswer answer = run.answer(prediction);
        json["predictions"].push_back(
            {{"question", prediction.question}, {"answer", answer.text}, {"problem", answer.problem}});
    }
    json["claims"] = OrderedJson::array();
    for (const LessonClaim& claim : lesson.claims)
        json["claims"].push_back({{"says", claim.says},
                                  {"verdict", lessonVerdictName(run.verdict(claim.holds))},
                                  {"holds_if", claim.holds.text()},
                                  {"figures", claim.figures.filled(figures)}});
    json["expectations"] = OrderedJson::array();
    for (const LessonExpectation& expected : lesson.expectations)
        json["expectations"].push_back(
            {{"expression", expected.holds.text()}, {"holds", run.verdict(expected.holds) == LessonVerdict::Held}});
    return json;
}

std::string exerciseText(const LessonExercise& exercise, const ExerciseOutcome& outcome)
{
    std::string text = wrapped(exercise.task, "");
    text += fmt::format("Goal: {}\n", exercise.goal.text());
    for (const FigureName& name : exercise.goal.figures())
        if (outcome.run && name.run.empty())
            if (const auto value = runFigure(*outcome.run, name.figure); value.ok())
                text += fmt::format("  {} is {}\n", name.figure,
                                    figureText(value.value(), findFigure(false, name.figure).value().unit));
    if (!outcome.problem.empty())
        text += fmt::format("It cannot be judged: {}\n", outcome.problem);
    else if (outcome.reached)
        text += "Reached.\n";
    else
        text += "Not reached yet." + (exercise.hint.empty() ? "" : " " + markdownInlineText(exercise.hint)) + "\n";
    return text;
}

OrderedJson exerciseJson(const LessonExercise& exercise, const ExerciseOutcome& outcome)
{
    return {{"goal", exercise.goal.text()}, {"reached", outcome.reached}, {"problem", outcome.problem}};
}

}  // namespace overlane
