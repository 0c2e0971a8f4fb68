// A lesson for a terminal: its text with every figure filled in, its table, verdicts and exercises; and
// the same as JSON.
//
// Pure functions, any thread. JSON keys are stable: append, never rename.
#pragma once

#include <string>

#include "core/cli/device_figures.h"
#include "core/lessons/lesson_run.h"

namespace overlane
{

std::string lessonListText(const LessonLibrary& library);
OrderedJson lessonListJson(const LessonLibrary& library);
// Every name that expressions may use, with what it means.
std::string metricsText();

std::string lessonText(const LessonRun& run);
OrderedJson lessonJson(const LessonRun& run);

std::string exerciseText(const LessonExercise& exercise, const ExerciseOutcome& outcome);
OrderedJson exerciseJson(const LessonExercise& exercise, const ExerciseOutcome& outcome);

}  // namespace overlane
