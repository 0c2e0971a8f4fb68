// The parser of `overlane`: every command with its options, declared once for parsing, for manual pages and completion.
//
// One thread.
#pragma once

#include <map>
#include <string>

#include "core/cli/command.h"
#include "core/manual/program_sheet.h"

namespace CLI
{
class App;
}

namespace overlane
{

// What each command does once its line is parsed, in the order of `actions`; the parser must not outlive them.
using CommandActions = std::map<const CLI::App*, CommandAction>;
void declareProgram(CLI::App& app, CommandActions& actions);

// The same, as data.
ProgramSheet programSheet();

}  // namespace overlane
