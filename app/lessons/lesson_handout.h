// A lesson as a handout: the situation, the question with its answer, both timelines, the rule, claims and
// exercises, with the figures of these runs; for paper (PDF) or as one page without other files (HTML).
//
// Blocks while it draws; GUI thread. The Error says which file could not be written.
#pragma once

#include <QString>

#include "core/lessons/lesson_run.h"

namespace overlane
{

Result<void> writePdfHandout(const LessonRun& run, const QString& path);
Result<void> writeHtmlHandout(const LessonRun& run, const QString& path);

}  // namespace overlane
