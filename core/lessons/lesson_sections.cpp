#include "core/lessons/lesson_sections.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace overlane
{
namespace
{

// To be answered before the page is turned.
std::string questions(const Lesson& lesson)
{
    std::string text;
    for (const LessonPrediction& prediction : lesson.predictions) {
        text += fmt::format("### {}\n\n", prediction.question);
        char mark = 'A';
        for (const LessonChoice& choice : prediction.choices)
            text += fmt::format("- {}. {}\n", mark++, choice.text);
        text += prediction.choices.empty() ? "Your number: ____________\n\n" : "\n";
    }
    return text;
}

std::string commands(const Lesson& lesson)
{
    std::string text;
    for (const LessonScenario& scenario : lesson.scenarios)
        text += fmt::format("- {}, {}: `{}`\n", scenario.name, scenario.label, scenario.commandLine());
    return text;
}

std::string seen(const LessonRun& run, const FigureSource& figures)
{
    std::string text;
    for (const LessonPrediction& prediction : run.lesson().predictions) {
        const LessonAnswer answer = run.answer(prediction);
        text += fmt::format("### {}\n\n**{}**\n\n{}\n\n", prediction.question,
                            answer.problem.empty() ? answer.text : "It cannot be told here: " + answer.problem + ".",
                            prediction.explanation.filled(figures));
    }
    return text + "### And more\n\n" + run.seen();
}

std::string claims(const LessonRun& run, const FigureSource& figures)
{
    std::string text;
    for (const LessonClaim& claim : run.lesson().claims) {
        const LessonVerdict verdict = run.verdict(claim.holds);
        const Prose& more = verdict == LessonVerdict::Held ? claim.ifHeld : claim.ifNot;
        text += fmt::format("### \u201c{}\u201d\n\n**{}**. Source: {}.\n\n{}\n\n{}\n\n", claim.says,
                            lessonVerdictName(verdict), claim.source.markdown(), claim.figures.filled(figures),
                            verdict == LessonVerdict::Unknown ? "" : more.filled(figures));
    }
    return text;
}

std::string leftOut(const Lesson& lesson)
{
    return fmt::format("- {}\n", fmt::join(lesson.leftOut, "\n- "));
}

std::string exercises(const Lesson& lesson)
{
    std::string text = fmt::format(
        "The program checks them: `overlane lessons {} --exercise 1 --set KEY=VALUE`, or the lesson in the window.\n\n",
        lesson.key);
    int number = 1;
    for (const LessonExercise& exercise : lesson.exercises)
        text += fmt::format("### Exercise {}\n\n{}\n\nGoal: `{}`. You may change: `{}`. {}\n\n", number++,
                            exercise.task, exercise.goal.text(), fmt::join(exercise.knobs, "`, `"), exercise.hint);
    return text;
}

}  // namespace

std::vector<LessonSection> lessonSections(const LessonRun& run)
{
    const Lesson& lesson = run.lesson();
    const FigureSource figures = run.source();
    return {{"situation", "The situation", lesson.situation.filled(figures)},
            {"predict", "Predict first", questions(lesson)},
            {"runs", "The runs", commands(lesson)},
            {"seen", "What they show", seen(run, figures)},
            {"rule", "The rule", fmt::format("**{}**\n\nSource: {}.", lesson.rule.text, lesson.rule.source.markdown())},
            {"left-out", "What the simulation leaves out", leftOut(lesson)},
            {"claims", "What people say", claims(run, figures)},
            {"exercises", "Exercises", exercises(lesson)}};
}

std::string lessonFacts(const LessonRun& run)
{
    return fmt::format("{} minutes, {}", run.lesson().minutes,
                       run.measured() ? "measured on this machine's GPU"
                                      : fmt::format("simulated on {}", run.runs().front()->device->name));
}

}  // namespace overlane
