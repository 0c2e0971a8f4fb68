// Manual pages, for man(1): one of the program with its commands, one of each command.
//
// Written in the macros of man(7), with what is not ASCII as groff's \[uXXXX]; no date, so that two builds make the
// same file. Pure, any thread.
#pragma once

#include <string>

#include "core/manual/program_sheet.h"

namespace overlane
{

struct ManPage {
    std::string file;  // "overlane-info.1"
    std::string text;
};
ManPage programPage(const ProgramSheet& program);
ManPage commandPage(const ProgramSheet& program, const CommandSheet& command);

}  // namespace overlane
