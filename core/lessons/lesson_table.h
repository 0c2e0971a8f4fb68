// The table of a lesson: its compared metrics, a row each, a column for every run.
//
// Pure function, any thread.
#pragma once

#include <string>
#include <vector>

#include "core/lessons/lesson_run.h"

namespace overlane
{

struct LessonRow {
    std::string key;  // of the metric
    std::string label;
    std::string description;
    std::vector<std::string> values;  // beside the lesson's scenarios; "-" where a run does not tell
    // B against A: "2.31 times" for times, sizes and rates, else the difference; empty where they are
    // alike within a hundredth or one is not known.
    std::string change;
    double ratio = 0;  // B / A; 0 where there is none
};

std::vector<LessonRow> lessonTable(const LessonRun& run);

}  // namespace overlane
