// The lesson as the command line asks for it.
//
// GUI thread; a picture or handout waits here for the runs of the lesson.
#pragma once

#include <string>

#include "app/program/window_arguments.h"
#include "core/base/result.h"

namespace overlane
{

class LessonsTool;

// Also the folder with a person's own. A picture shows the lesson with its runs.
Result<void> openLesson(LessonsTool& lessons, const WindowArguments& arguments);

// False with one sentence on standard error.
bool writeHandout(LessonsTool& lessons, const std::string& file);

}  // namespace overlane
