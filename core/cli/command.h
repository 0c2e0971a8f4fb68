// One command of `overlane`: its words for the help, its options, and what it does.
//
// Stateless; one thread. A new command is one new file and one line in allCommands().
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/cli/cli.h"
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

class Command
{
public:
    virtual ~Command() = default;

    virtual std::string_view name() const = 0;
    virtual std::string_view description() const = 0;  // one sentence
    virtual std::string help() const = 0;              // below the options: examples and words
    // Declares the options on `app`; the action is called once they are parsed.
    virtual CommandAction declare(CLI::App& app) const = 0;
};

const Command& runCommand();
const Command& infoCommand();
const Command& convertCommand();
const Command& openCommand();
const Command& recordCommand();
const Command& compareCommand();
const Command& checkCommand();
const Command& reportCommand();
const Command& whatIfCommand();
const Command& tryCommand();
const Command& fidelityCommand();
const Command& calibrateCommand();
const Command& sweepCommand();
const Command& adviseCommand();
const Command& machineCommand();
const Command& pressureCommand();
const Command& lessonsCommand();
const Command& gpuRunCommand();

// All commands in the order of the help.
std::span<const Command* const> allCommands();

}  // namespace overlane
