// What the program says when it cannot tell what is wanted: no command, an unknown one, an unknown
// option.
//
// Pure functions apart from one look for a file of the name given; any thread.
#pragma once

#include <string>
#include <vector>

namespace CLI
{
class App;
}

namespace overlane
{

// For a call without a command: the commands in a line each, and where to read on.
std::string firstSteps();

// A sentence for arguments that do not begin with a command or an option of the program; empty for
// those that do.
std::string unknownCommand(const std::vector<std::string>& arguments);

// "; `overlane info --help` says what is expected.", for the command that was chosen.
std::string expectedHelp(const CLI::App& app);

// A sentence for arguments that no command or option took, with the nearest option.
std::string unexpectedArgument(const CLI::App& app, const std::vector<std::string>& arguments);

}  // namespace overlane
