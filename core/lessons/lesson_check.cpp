#include "core/lessons/lesson_check.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <fmt/format.h>

#include "core/lessons/lesson_blocks.h"
#include "core/loader/settings.h"
#include "core/runs/figures.h"

namespace overlane
{
namespace
{

constexpr std::array<std::string_view, 17> kUnits{"ns", "us", "\u00b5s", "ms", "s", "KiB", "MiB",     "GiB",  "TiB",
                                                  "KB", "MB", "GB",      "TB", "%", "x",   "percent", "times"};

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}
bool isLetter(char c)
{
    return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

// Without what is between backticks and between {{ and }}.
std::string spoken(std::string_view text)
{
    std::string kept;
    while (!text.empty()) {
        const bool figure = text.starts_with("{{");
        const bool code = text.starts_with('`');
        if (!figure && !code) {
            kept += text.front();
            text.remove_prefix(1);
            continue;
        }
        const std::size_t end = figure ? text.find("}}") : text.find('`', 1);
        const std::size_t length = end == std::string_view::npos ? text.size() : end + (figure ? 2 : 1);
        text.remove_prefix(length);
        kept += '\x01';  // so that what stands around it does not join
    }
    return kept;
}

// The unit at the start of a text, after at most one space; empty where there is none.
std::string_view unitAt(std::string_view text)
{
    if (text.starts_with(' '))
        text.remove_prefix(1);
    for (const std::string_view unit : kUnits)
        if (text.starts_with(unit) && (text.size() == unit.size() || !isLetter(text[unit.size()])))
            return unit;
    return {};
}

// `whole` is the text that the paragraph is part of: a size that one of its figures is asked for, as in
// device.register(64 KiB), is no statement.
void statedIn(std::string_view paragraph, std::string_view whole, std::vector<std::string>& found)
{
    const std::string text = spoken(paragraph);
    if (text.find("](") != std::string::npos)
        return;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!isDigit(text[i]) || (i > 0 && (isLetter(text[i - 1]) || text[i - 1] == '_')))
            continue;
        const std::size_t start = i;
        while (i < text.size() && (isDigit(text[i]) || (text[i] == '.' && i + 1 < text.size() && isDigit(text[i + 1]))))
            ++i;
        const std::string_view unit = unitAt(std::string_view(text).substr(i));
        const std::string figure = text.substr(start, i - start) + " " + std::string(unit);
        if (!unit.empty() && whole.find("(" + figure + ")") == std::string_view::npos)
            found.push_back(figure);
    }
}

class Checker
{
public:
    Checker(const LessonRun& run, const LessonEngine& engine, Progress& progress)
        : m_run(run), m_lesson(run.lesson()), m_engine(engine), m_progress(progress), m_figures(run.source())
    {
    }

    std::vector<std::string> check()
    {
        expectations();
        predictions();
        claims();
        prose(m_lesson.situation, "the situation");
        prose(m_lesson.seen, "what the runs show");
        for (const std::string& line : m_lesson.leftOut)
            stated(line, "what is left out");
        for (std::size_t i = 0; i < m_lesson.exercises.size(); ++i)
            exercise(m_lesson.exercises[i], i + 1);
        return std::move(m_problems);
    }
    // Once checked.
    std::vector<CheckedStatement> statements() { return std::move(m_statements); }

private:
    void problem(const std::string& text) { m_problems.push_back(m_lesson.file + ": " + text); }

    void expectations()
    {
        for (const LessonExpectation& expected : m_lesson.expectations) {
            const LessonVerdict verdict = m_run.verdict(expected.holds);
            const std::string values = valuesOf(expected.holds, m_figures);
            m_statements.push_back({expected.holds.text(), values, verdict});
            if (verdict == LessonVerdict::Held || (verdict == LessonVerdict::Unknown && m_run.measured()))
                continue;
            m_problems.push_back(fmt::format("{}:{}: does not hold: {} ({})", m_lesson.file, expected.line,
                                             expected.holds.text(), values));
        }
    }

    static std::string figureLabel(const FigureName& name)
    {
        return name.run.empty() ? name.figure : name.run + "." + name.figure;
    }
    static std::string valueText(const FigureName& name, double value)
    {
        std::string text = figureLabel(name);
        if (name.hasArgument)
            text += fmt::format("({:.0f} B)", name.argument);
        const auto parsed = Expression::parse(text, {name.run});
        return parsed.ok() ? figureText(value, parsed.value().unit()) : std::string("unknown");
    }
    // "A.wall is 12 ms, B.wall is 9 ms"
    static std::string valuesOf(const Expression& expression, const FigureSource& figures)
    {
        std::string values;
        for (const FigureName& name : expression.figures()) {
            const auto value = figures(name);
            values += fmt::format("{}{} is {}", values.empty() ? "" : ", ", figureLabel(name),
                                  value.ok() ? valueText(name, value.value()) : value.error());
        }
        return values;
    }

    void predictions()
    {
        for (const LessonPrediction& prediction : m_lesson.predictions) {
            if (const LessonAnswer answer = m_run.answer(prediction); !answer.problem.empty() && !m_run.measured())
                problem(fmt::format("\"{}\": {}.", prediction.question, answer.problem));
            prose(prediction.explanation, "the explanation of a prediction");
        }
    }

    void claims()
    {
        for (const LessonClaim& claim : m_lesson.claims) {
            if (m_run.verdict(claim.holds) == LessonVerdict::Unknown && !m_run.measured())
                problem(fmt::format("the claim \"{}\" cannot be decided.", claim.says));
            for (const Prose* text : {&claim.figures, &claim.ifHeld, &claim.ifNot})
                prose(*text, fmt::format("the claim \"{}\"", claim.says));
        }
    }

    void prose(const Prose& text, const std::string& where)
    {
        for (const std::string& unknown : m_run.measured() ? std::vector<std::string>() : text.unknown(m_figures))
            problem(fmt::format("{} in {}.", unknown, where));
        stated(text.markdown(), where);
    }
    void stated(std::string_view text, const std::string& where)
    {
        for (const std::string& figure : statedFigures(text))
            problem(
                fmt::format("\"{}\" is stated by hand in {}: use a placeholder, or name the source in the "
                            "paragraph.",
                            figure, where));
    }

    // A goal over swap, say, cannot be judged on a GPU, whatever is run.
    bool asksWhatIsNotMeasured(const Expression& goal) const
    {
        const JudgedRun& measured = *m_run.runs().front();
        const auto& asked = goal.figures();
        return m_run.measured() && std::any_of(asked.begin(), asked.end(), [&](const FigureName& name) {
                   return name.run != kDeviceRun && !runFigure(measured, name.figure).ok();
               });
    }

    void exercise(const LessonExercise& exercise, std::size_t number)
    {
        if (asksWhatIsNotMeasured(exercise.goal) || !m_run.untold().empty())
            return;
        const ExerciseOutcome start = m_run.tryExercise(exercise, exercise.start, m_engine, m_progress);
        Scenario solved = exercise.start;
        for (const std::string& change : exercise.solution) {
            const std::size_t equals = change.find('=');
            (void)assignSetting(solved, change.substr(0, equals), change.substr(equals + 1)).ok();
        }
        const ExerciseOutcome end = m_run.tryExercise(exercise, solved, m_engine, m_progress);
        for (const ExerciseOutcome* outcome : {&start, &end})
            if (!outcome->problem.empty())
                problem(fmt::format("exercise {}: {}", number, outcome->problem));
        if (start.reached)
            problem(fmt::format("exercise {} is solved before anything is changed.", number));
        const std::string values =
            end.run && start.run ? valuesOf(exercise.goal, exerciseSource(*end.run, *start.run)) : std::string();
        m_statements.push_back({fmt::format("exercise {}: {}", number, exercise.goal.text()), values,
                                end.reached ? LessonVerdict::Held : LessonVerdict::DidNotHold});
        if (!end.reached)
            problem(fmt::format("exercise {} is not solved by its solution: {}{}.", number, exercise.goal.text(),
                                values.empty() ? "" : fmt::format(" ({})", values)));
    }

    const LessonRun& m_run;
    const Lesson& m_lesson;
    const LessonEngine& m_engine;
    Progress& m_progress;
    const FigureSource m_figures;
    std::vector<std::string> m_problems;
    std::vector<CheckedStatement> m_statements;
};

}  // namespace

std::vector<std::string> statedFigures(std::string_view markdown)
{
    const std::string_view whole = markdown;
    std::vector<std::string> found;
    bool code = false;
    std::string paragraph;
    while (!markdown.empty()) {
        const std::size_t end = std::min(markdown.find('\n'), markdown.size());
        const std::string_view line = markdown.substr(0, end);
        markdown.remove_prefix(std::min(end + 1, markdown.size()));
        if (line.starts_with("```"))
            code = !code;
        else if (!code && trimmedText(line).empty())
            statedIn(std::exchange(paragraph, {}), whole, found);
        else if (!code)
            paragraph += std::string(line) + "\n";
    }
    statedIn(paragraph, whole, found);
    return found;
}

LessonChecker::LessonChecker(LessonEngine engine) : m_engine(rememberingEngine(std::move(engine), m_made)) {}

Result<LessonCheck> LessonChecker::check(const Lesson& lesson, Progress& progress, LessonOptions options)
{
    const std::string& usual = allDeviceProfiles().front().key;
    if (std::any_of(lesson.scenarios.begin(), lesson.scenarios.end(),
                    [&](const LessonScenario& scenario) { return scenario.device != usual; }))
        options.device = nullptr;
    const auto started = std::chrono::steady_clock::now();
    const std::size_t before = *m_made;
    LessonCheck check;
    const auto run = LessonRun::run(lesson, m_engine, progress, options);
    if (run.ok()) {
        Checker checker(run.value(), m_engine, progress);
        check.problems = checker.check();
        check.statements = checker.statements();
        check.untold = run.value().untold();
    }
    if (run.isCancelled() || progress.cancelled())
        return Error::cancelled();
    if (!run.ok() && *m_made == 0)
        return run.failure();
    if (!run.ok())
        check.problems.push_back(lesson.file + ": " + run.error());
    check.runs = *m_made - before;
    check.tookNs =
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - started).count();
    return check;
}

}  // namespace overlane
