// A lesson with its runs, section by section in the order of reading, as Markdown (markdown.h): a terminal, a page of
// its own (lesson_page.h) and paper (app/lessons/lesson_handout.h) show the same.
//
// Pure functions, any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/lessons/lesson_run.h"

namespace overlane
{

struct LessonSection {
    std::string_view id;  // stable: "situation", "predict", "runs", "seen", ...
    std::string_view title;
    std::string markdown;
};
// The timelines of the runs and lessonTable() belong before what "runs" says.
std::vector<LessonSection> lessonSections(const LessonRun& run);

// "12 minutes, simulated on NVIDIA H200"
std::string lessonFacts(const LessonRun& run);

}  // namespace overlane
