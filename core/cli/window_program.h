// Where the window, overlane-ui, is: beside this program as installed, in the build folder, else wherever PATH has it.
//
// Any thread.
#pragma once

#include <string>

namespace overlane
{

// A path, or the bare name, for PATH.
std::string windowProgram();

}  // namespace overlane
