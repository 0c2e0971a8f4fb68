#include <array>

#include "core/cli/command.h"
#include "core/cli/judge_file.h"

namespace overlane
{

std::span<const Command* const> allCommands()
{
    static constexpr std::array kCommands{
        &demoCommand,     &runCommand,       &recordCommand,   &watchCommand,  &openCommand,    &infoCommand,
        &namesCommand,    &flameCommand,     &compareCommand,  &checkCommand,  &reportCommand,  &pictureCommand,
        &jobCommand,      &digestCommand,    &fleetCommand,    &whatIfCommand, &tryCommand,     &convertCommand,
        &fidelityCommand, &calibrateCommand, &sweepCommand,    &adviseCommand, &machineCommand, &doctorCommand,
        &pressureCommand, &lessonsCommand,   &completeCommand, &manualCommand, &gpuRunCommand,  &thereCommand,
    };
    return kCommands;
}

int fail(const Error& error, CommandOutput to, int code)
{
    to.err << "overlane: " << error.message << "\n";
    return error.isCancelled() ? kExitCancelled : code;
}

int fail(const std::string& message, CommandOutput to, int code)
{
    return fail(Error{message}, to, code);
}

int exitCodeOf(const Trace& trace, const std::string& file, CommandOutput to)
{
    const std::string damage = damageOf(trace);
    if (damage.empty())
        return kExitOk;
    return fail(file + ": " + damage + "; copy or record it again for the rest.", to, kExitDamaged);
}

}  // namespace overlane
