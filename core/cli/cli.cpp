#include "core/cli/cli.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <map>

#include "core/cli/command.h"
#include "core/host/gpu_support.h"

namespace overlane
{
namespace
{

constexpr const char* kDescription =
    "Overlane: do the copies to the GPU hide behind the compute, and if not, why, and what would change it?";

constexpr const char* kFooter = R"(Words:
  pinned    page-locked host memory; the only kind a copy engine reads by itself
  pageable  ordinary host memory; the driver stages it and the host waits
  hidden    copy time during which the device also ran kernels
  exposed   copy time during which it did not
  ideal     the longest of copies in, copies out, kernels and the busiest host actor
  distance  wall time / ideal; 1.00 cannot be improved by overlap

Examples:
  overlane run                                          the most common mistake, simulated
  overlane run --set pin=thread --set non_blocking=on   one change, same machine
  overlane info trace.json.gz                           a PyTorch trace, judged
  overlane convert trace.json.gz trace.overlane         the same trace, opened faster

`overlane COMMAND --help` explains a command.)";

int runParsed(CLI::App& app, std::map<const CLI::App*, CommandAction>& actions, std::ostream& out, std::ostream& err)
{
    for (const CLI::App* chosen : app.get_subcommands()) {
        const int code = actions.at(chosen)({out, err});
        out.flush();
        if (code == kExitOk && !out.good()) {
            err << "overlane: The report could not be written to standard output; is the disk full?\n";
            return kExitFailed;
        }
        return code;
    }
    out << app.help();
    return kExitUsage;
}

}  // namespace

int runCli(std::vector<std::string> arguments, std::ostream& out, std::ostream& err)
{
    CLI::App app(kDescription, "overlane");
    app.footer(kFooter);
    app.set_version_flag("--version", [] { return "overlane " OVERLANE_VERSION "\n" + detectGpuSupport().sentence; });
    app.require_subcommand(0, 1);
    std::map<const CLI::App*, CommandAction> actions;
    for (const Command* command : allCommands()) {
        CLI::App* sub = app.add_subcommand(std::string(command->name()), std::string(command->description()));
        sub->footer([command] { return command->help(); });
        actions[sub] = command->declare(*sub);
    }
    try {
        std::reverse(arguments.begin(), arguments.end());  // the order CLI11 takes a vector in
        app.parse(arguments);
        return runParsed(app, actions, out, err);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success))
            return app.exit(error, out, err);
        err << "overlane: " << error.what() << "\nRun `overlane --help` for the commands and their options.\n";
        return kExitUsage;
    } catch (const std::exception& error) {
        err << "overlane: " << error.what() << "\n";
        return kExitFailed;
    }
}

}  // namespace overlane
