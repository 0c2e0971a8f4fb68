// Checks a lesson against its runs: every number it states, every choice, every exercise.
//
// Blocks while it runs the exercises; any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/lessons/lesson_run.h"

namespace overlane
{

// An expectation, or the goal of an exercise as its solution left it, with the figures that decided it.
struct CheckedStatement {
    std::string text;     // "B.step < 96 % * A.step", "exercise 1: overlap >= 80 %"
    std::string figures;  // "B.step is 10.0 ms, A.step is 10.9 ms"
    LessonVerdict verdict = LessonVerdict::Unknown;
};

struct LessonCheck {
    // A sentence each that begins with the file; empty where each expectation is true, each figure known, each
    // prediction has one answer, each claim is decided, each exercise is unsolved at its start and solved by its
    // solution, and no prose states a figure by hand. What a run on a GPU does not measure is passed over.
    std::vector<std::string> problems;
    std::vector<CheckedStatement> statements;
    std::string untold;    // why the runs show nothing of it here (LessonRun::untold()); else empty
    std::size_t runs = 0;  // made for it; those that an earlier lesson made count there
    std::int64_t tookNs = 0;
};
// Checks lessons one after the other on one engine. Each distinct scenario runs once for all of them: lessons
// share scenarios, and exercises start where their lesson ended.
class LessonChecker
{
public:
    explicit LessonChecker(LessonEngine engine);

    // The Error: cancelled, or a GPU that has run nothing yet and cannot: it would fail for every lesson.
    // A device in the options takes the place of the usual one; a lesson that names a machine of its own keeps it.
    Result<LessonCheck> check(const Lesson& lesson, Progress& progress, LessonOptions options = {});

private:
    std::shared_ptr<std::size_t> m_made = std::make_shared<std::size_t>(0);
    LessonEngine m_engine;
};

// Numbers with a unit that a text states by hand ("55 GB/s"): in a paragraph without a link to where
// they come from they would be neither checked nor sourced. Code is left out.
std::vector<std::string> statedFigures(std::string_view markdown);

}  // namespace overlane
