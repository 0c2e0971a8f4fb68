// A window of `overlane watch` on its way to a line: written as a trace, judged and measured, beside the program that
// goes on.
//
// lookAtWindow() runs on a thread of its own, which gives way to the program's (nice 19).
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/recorder/watch_session.h"
#include "core/watch/window_figures.h"

namespace overlane
{

struct SeenWindow {
    std::string file;  // its trace
    std::string cut;   // as RecordedWindow has it
    std::vector<std::string> warnings;
    bool usedGpu = false;
    WindowFigures figures;  // of one that used a GPU
};

// The trace is written to `file`, and stays there.
Result<SeenWindow> lookAtWindow(const RecordedWindow& window, const std::string& file);

}  // namespace overlane
