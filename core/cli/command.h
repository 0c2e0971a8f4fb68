// One command of `overlane`: its words for the help, its options, and what it does.
//
// Stateless; one thread. A new command is one new file, its name below and in allCommands().
#pragma once

#include <functional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/cli/cli.h"
#include "core/cli/option_list.h"
#include "core/trace/trace.h"

namespace overlane
{

struct CommandOutput {
    std::ostream& out;
    std::ostream& err;
};

// The last lines of every command's help.
inline constexpr std::string_view kExitCodesHelp =
    "Exit codes: 0 done, 1 a file, a disk or a run failed, 2 the command line is wrong, 3 a file could be\n"
    "read in part only, 130 cancelled with Ctrl+C.";

// Does the work and returns kExitOk, or writes one sentence to err and returns another code.
using CommandAction = std::function<int(CommandOutput)>;

// Writes "overlane: MESSAGE" to err. Returns the code, or kExitCancelled for what was cancelled.
int fail(const Error& error, CommandOutput to, int code = kExitFailed);
int fail(const std::string& message, CommandOutput to, int code = kExitFailed);

// kExitOk; for a trace whose file was damaged, names the damage in one sentence and returns kExitDamaged.
int exitCodeOf(const Trace& trace, const std::string& file, CommandOutput to);

struct Command {
    std::string_view name;
    std::string_view description;  // one sentence; empty for what people do not call
    std::string (*help)();         // below the options: examples and words
    // Declares the options; the action is called once they are parsed.
    CommandAction (*declare)(OptionList& list);
};

extern const Command demoCommand;
extern const Command runCommand;
extern const Command infoCommand;
extern const Command namesCommand;
extern const Command flameCommand;
extern const Command convertCommand;
extern const Command openCommand;
extern const Command recordCommand;
extern const Command watchCommand;
extern const Command compareCommand;
extern const Command checkCommand;
extern const Command reportCommand;
extern const Command jobCommand;
extern const Command digestCommand;
extern const Command fleetCommand;
extern const Command pictureCommand;
extern const Command whatIfCommand;
extern const Command tryCommand;
extern const Command fidelityCommand;
extern const Command calibrateCommand;
extern const Command sweepCommand;
extern const Command adviseCommand;
extern const Command machineCommand;
extern const Command doctorCommand;
extern const Command pressureCommand;
extern const Command lessonsCommand;
extern const Command completeCommand;
extern const Command manualCommand;
extern const Command gpuRunCommand;
extern const Command thereCommand;

// All commands in the order of the help.
std::span<const Command* const> allCommands();

}  // namespace overlane
