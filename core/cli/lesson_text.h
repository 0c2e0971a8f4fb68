// A lesson for a terminal: its text with every figure filled in, its table, verdicts and exercises; and
// the same as JSON.
//
// Pure functions, any thread. JSON keys are stable: append, never rename.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/cli/device_figures.h"
#include "core/lessons/lesson_run.h"

namespace overlane
{

// Markdown as lines of a terminal, indented, and further below a heading.
std::string markdownText(std::string_view markdown, std::string_view indent = "  ");

std::string lessonListText(const LessonLibrary& library);
OrderedJson lessonListJson(const LessonLibrary& library);
// Every name that expressions may use, with what it means.
std::string metricsText();

std::string lessonText(const LessonRun& run);
OrderedJson lessonJson(const LessonRun& run);

std::string exerciseText(const LessonExercise& exercise, const ExerciseOutcome& outcome);
OrderedJson exerciseJson(const LessonExercise& exercise, const ExerciseOutcome& outcome);

}  // namespace overlane
