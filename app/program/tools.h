// The tools that are plugged into the window: one list, in tools.cpp. A new tool is a class in a room of its own that
// takes a Shell, and a line in that list.
//
// GUI thread.
#pragma once

namespace overlane
{

class Shell;

// Makes every tool, as a child of the shell's window.
void plugTools(Shell* shell);

}  // namespace overlane
