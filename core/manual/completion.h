// Completion of a command line, as the scripts that bash, zsh and fish read.
//
// Commands, their options, values where the program has a list of them, else files or folders. Behind -- and for what
// is a program to run, commands. Pure, any thread.
#pragma once

#include <string>

#include "core/manual/program_sheet.h"

namespace overlane
{

std::string bashCompletion(const ProgramSheet& program);
std::string zshCompletion(const ProgramSheet& program);
std::string fishCompletion(const ProgramSheet& program);

}  // namespace overlane
