// LessonRun: a lesson's scenarios run on an engine, and everything the lesson says of them answered:
// predictions, claims, expectations, exercises.
//
// Owns the runs, which are shared and immutable: panels may keep them. Running blocks, any thread; the
// answers are pure. The lesson must outlive its run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/lessons/lesson.h"
#include "core/lessons/lesson_engine.h"

namespace overlane
{

struct LessonOptions {
    const DeviceProfile* device = nullptr;  // in place of the lesson's own
    std::vector<std::string> changes;       // "workers=8", onto every scenario
};

enum class LessonVerdict : std::uint8_t { Held, DidNotHold, Unknown };
// "held here", "did not hold here", "cannot be told here".
std::string_view lessonVerdictName(LessonVerdict verdict);

struct LessonAnswer {
    std::string text;     // the right choice, or the number as people read it
    int choice = -1;      // place of the right one
    double value = 0;     // of a number, in the unit of its expression
    std::string problem;  // why it cannot be told; else empty
};

struct ExerciseOutcome {
    bool reached = false;
    std::string problem;  // a setting that may not be changed, a run that failed; else empty
    JudgedRunPointer run;
};

class LessonRun
{
public:
    // The Error says which scenario cannot run here, and why.
    static Result<LessonRun> run(const Lesson& lesson, const LessonEngine& engine, Progress& progress,
                                 const LessonOptions& options = {});

    const Lesson& lesson() const { return *m_lesson; }
    // Beside lesson().scenarios.
    const std::vector<JudgedRunPointer>& runs() const { return m_runs; }
    bool measured() const { return m_runs.front()->measured.has_value(); }
    // Why measured runs show nothing of this lesson: what the machine lacks. Empty where they do, and where the
    // runs are simulated. All verdicts and answers are unknown otherwise.
    std::string untold() const;
    // What the runs show, as Markdown, behind what untold() says.
    std::string seen() const;
    // What placeholders and expressions of this lesson ask for.
    FigureSource source() const;

    LessonAnswer answer(const LessonPrediction& prediction) const;
    // Whether a learner's prediction counts as right: the place of a choice, or a number in the unit of the
    // answer (nanoseconds, bytes, bytes per nanosecond, or as it is).
    bool isRight(const LessonPrediction& prediction, double given) const;
    LessonVerdict verdict(const Expression& holds) const;

    // `changed` is the learner's scenario, run by the engine; only the knobs may differ from the start.
    ExerciseOutcome tryExercise(const LessonExercise& exercise, const Scenario& changed, const LessonEngine& engine,
                                Progress& progress) const;

private:
    LessonRun() = default;

    const Lesson* m_lesson = nullptr;
    std::vector<JudgedRunPointer> m_runs;
    const DeviceProfile* m_device = nullptr;  // replaces that of exercises; nullptr: their own
};

// Of a goal: the learner's run and the one at the start of the exercise.
FigureSource exerciseSource(const JudgedRun& learner, const JudgedRun& start);

// The settings in which a scenario differs from another, in the order of the table.
std::vector<std::string> changedSettings(const Scenario& from, const Scenario& to);

}  // namespace overlane
