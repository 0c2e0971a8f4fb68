// The table of a lesson: its compared metrics, a row each, a column for every run.
//
// Pure function, any thread.
#pragma once

#include "core/content/block.h"
#include "core/lessons/lesson_run.h"

namespace overlane
{

// Columns metric, one named as each scenario of the lesson ("-" where a run does not tell), and change, B against A:
// "2.31 times" for times, sizes and rates, by the ratio, else the difference. On hover: what the metric is.
Table lessonTable(const LessonRun& run);

}  // namespace overlane
