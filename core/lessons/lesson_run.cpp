#include "core/lessons/lesson_run.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/loader/settings.h"
#include "core/runs/figures.h"
#include "core/runs/run_metrics.h"

namespace overlane
{
namespace
{

constexpr std::string_view kStart = "start";

Result<void> assign(Scenario& scenario, const std::vector<std::string>& changes)
{
    for (const std::string& change : changes) {
        const std::size_t equals = change.find('=');
        if (equals == std::string::npos)
            return Error{fmt::format("'{}' has no value; write key=value.", change)};
        if (auto set = assignSetting(scenario, change.substr(0, equals), change.substr(equals + 1)); !set.ok())
            return set;
    }
    return {};
}

}  // namespace

std::string_view lessonVerdictName(LessonVerdict verdict)
{
    constexpr std::string_view kNames[] = {"held here", "did not hold here", "cannot be told here"};
    return kNames[static_cast<std::size_t>(verdict)];
}

Result<LessonRun> LessonRun::run(const Lesson& lesson, const LessonEngine& engine, Progress& progress,
                                 const LessonOptions& options)
{
    LessonRun made;
    made.m_lesson = &lesson;
    made.m_device = options.device;
    for (const LessonScenario& planned : lesson.scenarios) {
        Scenario scenario = planned.scenario;
        RETURN_IF_ERROR(assign(scenario, options.changes));
        const DeviceProfile& device = options.device ? *options.device : *findDeviceProfile(planned.device);
        if (const auto checked = checkScenario(scenario, device); !checked.ok())
            return checked.failure().in(fmt::format("Scenario {} of the lesson '{}'", planned.name, lesson.key));
        auto run = engine(scenario, device, progress);
        if (!run.ok())
            return run.failure().in(fmt::format("Scenario {} of the lesson '{}'", planned.name, lesson.key));
        made.m_runs.push_back(std::move(run).value());
    }
    return made;
}

FigureSource LessonRun::source() const
{
    return [lesson = m_lesson, runs = m_runs](const FigureName& name) -> Result<double> {
        if (name.run == kDeviceRun)
            return deviceFigure(*runs.front()->device, name);
        for (std::size_t i = 0; i < runs.size(); ++i)
            if (lesson->scenarios[i].name == name.run)
                return runFigure(*runs[i], name.figure);
        return Error{fmt::format("there is no run '{}'", name.run)};
    };
}

std::string LessonRun::untold() const
{
    if (!measured() || !m_lesson->gpuNeeds)
        return {};
    const Result<double> value = m_lesson->gpuNeeds->holds.evaluate(source());
    return value.ok() && value.value() == 1 ? std::string() : m_lesson->gpuNeeds->otherwise;
}

std::string LessonRun::seen() const
{
    const std::string missing = untold();
    const std::string shown = m_lesson->seen.filled(source());
    return missing.empty() ? shown : fmt::format("**{}**\n\n{}", missing, shown);
}

LessonAnswer LessonRun::answer(const LessonPrediction& prediction) const
{
    LessonAnswer answer;
    const FigureSource figures = source();
    if (!untold().empty()) {
        answer.problem = "these runs do not show it";
        return answer;
    }
    if (prediction.answer) {
        const Result<double> value = prediction.answer->evaluate(figures);
        if (!value.ok() || !std::isfinite(value.value())) {
            answer.problem = value.ok() ? "it is no finite number" : value.error();
            return answer;
        }
        answer.value = value.value();
        answer.text = figureText(answer.value, prediction.answer->unit());
        return answer;
    }
    for (std::size_t i = 0; i < prediction.choices.size(); ++i) {
        const Result<double> right = prediction.choices[i].right.evaluate(figures);
        if (!right.ok()) {
            answer = {};
            answer.problem = right.error();
            return answer;
        }
        if (right.value() == 0)
            continue;
        if (answer.choice >= 0)
            answer.problem = "more than one choice is right in these runs";
        else
            answer.choice = static_cast<int>(i);
    }
    if (answer.choice < 0)
        answer.problem = "none of the choices is right in these runs";
    else
        answer.text = prediction.choices[static_cast<std::size_t>(answer.choice)].text;
    return answer;
}

bool LessonRun::isRight(const LessonPrediction& prediction, double given) const
{
    const LessonAnswer right = answer(prediction);
    if (!right.problem.empty())
        return false;
    if (!prediction.answer)
        return static_cast<int>(given) == right.choice;
    return std::abs(given - right.value) <= std::abs(right.value) * prediction.tolerance;
}

LessonVerdict LessonRun::verdict(const Expression& holds) const
{
    const Result<double> value = holds.evaluate(source());
    if (!value.ok() || std::isnan(value.value()) || !untold().empty())
        return LessonVerdict::Unknown;
    return value.value() != 0 ? LessonVerdict::Held : LessonVerdict::DidNotHold;
}

ExerciseOutcome LessonRun::tryExercise(const LessonExercise& exercise, const Scenario& changed,
                                       const LessonEngine& engine, Progress& progress) const
{
    ExerciseOutcome outcome;
    for (const std::string& key : changedSettings(exercise.start, changed))
        if (std::find(exercise.knobs.begin(), exercise.knobs.end(), key) == exercise.knobs.end()) {
            outcome.problem = fmt::format("'{}' stays as it is in this exercise.", key);
            return outcome;
        }
    const DeviceProfile& device = m_device ? *m_device : *findDeviceProfile(exercise.device);
    if (const auto checked = checkScenario(changed, device); !checked.ok()) {
        outcome.problem = checked.error();
        return outcome;
    }
    const auto learner = engine(changed, device, progress);
    if (!learner.ok()) {
        outcome.problem = learner.error();
        return outcome;
    }
    outcome.run = learner.value();
    JudgedRunPointer start = outcome.run;
    const auto& asked = exercise.goal.figures();
    if (std::any_of(asked.begin(), asked.end(), [](const FigureName& name) { return name.run == kStart; })) {
        const auto first = engine(exercise.start, device, progress);
        if (!first.ok()) {
            outcome.problem = first.error();
            return outcome;
        }
        start = first.value();
    }
    const Result<double> reached = exercise.goal.evaluate(exerciseSource(*outcome.run, *start));
    outcome.reached = reached.ok() && reached.value() != 0;
    if (!reached.ok())
        outcome.problem = reached.error();
    return outcome;
}

FigureSource exerciseSource(const JudgedRun& learner, const JudgedRun& start)
{
    return [&learner, &start](const FigureName& name) -> Result<double> {
        if (name.run == kDeviceRun)
            return deviceFigure(*learner.device, name);
        return runFigure(name.run == kStart ? start : learner, name.figure);
    };
}

std::vector<std::string> changedSettings(const Scenario& from, const Scenario& to)
{
    std::vector<std::string> keys;
    for (const Setting& setting : allSettings())
        if (setting.get(from) != setting.get(to))
            keys.emplace_back(setting.key);
    return keys;
}

}  // namespace overlane
