// Shared by the commands that record a program: the name of a file that was given none, and the end.
//
// One thread, the main one.
#pragma once

#include <string>

#include "core/system/child_process.h"

namespace overlane
{

// "train-20261127-081500", without an ending.
std::string standardRecordingName(const std::string& program);

// Ends as the program ended, so that a shell or a script cannot tell the difference: by its signal, or with the exit
// code that is returned.
int endAsProgram(const ProgramEnd& program);

}  // namespace overlane
