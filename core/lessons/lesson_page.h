// The handout of a lesson: one HTML page without scripts or references, with the timelines of its first
// two runs drawn to one scale, printable on A4.
//
// Pure function, any thread.
#pragma once

#include <string>

#include "core/lessons/lesson_run.h"

namespace overlane
{

// `version` is that of the program, named in the footer.
std::string lessonPage(const LessonRun& run, const std::string& version);

}  // namespace overlane
