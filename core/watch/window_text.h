// What `overlane watch` says of a window: one line.
//
// Pure functions, any thread.
#pragma once

#include <string>

#include "core/watch/window_figures.h"
#include "core/watch/window_history.h"

namespace overlane
{

// "14:05:12  window 7: step 23.1 ms (+1.2 % on the 6 before), overlap 82.0 %, exposed copies 3.1 %"; local time.
std::string windowLine(const WindowFigures& window, const WindowChange& change);
// "Window 7 is slower: ..."; empty where nothing is claimed.
std::string worseText(const WindowFigures& window, const WindowChange& change);

}  // namespace overlane
