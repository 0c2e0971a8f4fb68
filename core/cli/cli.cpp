#include "core/cli/cli.h"

#include <CLI/CLI.hpp>
#include <exception>
#include <map>
#include <new>
#include <string_view>

#include "core/cli/command.h"
#include "core/cli/printable_stream.h"
#include "core/cli/usage.h"
#include "core/system/gpu_support.h"

namespace overlane
{
namespace
{

constexpr const char* kDescription =
    "Do the copies to the GPU hide behind the compute, and if not, why, and what would change it?";

constexpr std::string_view kFooter = R"(Words:
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

)";

constexpr std::string_view kFooterEnd = "\n`overlane COMMAND --help` explains a command.";

int runParsed(CLI::App& app, std::map<const CLI::App*, CommandAction>& actions, std::ostream& out, std::ostream& err)
{
    for (const CLI::App* chosen : app.get_subcommands())
        return actions.at(chosen)({out, err});
    out << firstSteps();
    return kExitUsage;
}

int parseAndRun(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err)
{
    CLI::App app(kDescription, "overlane");
    app.footer(std::string(kFooter) + std::string(kExitCodesHelp) + std::string(kFooterEnd));
    app.set_version_flag("--version", [] { return "overlane " OVERLANE_VERSION "\n" + detectGpuSupport().sentence; });
    app.require_subcommand(0, 1);
    app.get_formatter()->column_width(22);
    std::map<const CLI::App*, CommandAction> actions;
    for (const Command* command : allCommands()) {
        CLI::App* sub = app.add_subcommand(std::string(command->name), std::string(command->description));
        sub->footer("");  // not the program's own as well
        sub->footer([command] { return command->help(); });
        if (command->description.empty())
            sub->group("");  // hidden
        OptionList list(*sub);
        actions[sub] = command->declare(list);
    }
    if (const std::string problem = unknownCommand(arguments); !problem.empty())
        return fail(problem, {out, err}, kExitUsage);
    try {
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // the order CLI11 takes
        return runParsed(app, actions, out, err);
    } catch (const CLI::ExtrasError&) {
        return fail(unexpectedArgument(app, arguments), {out, err}, kExitUsage);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success))
            return app.exit(error, out, err);
        return fail(std::string(error.what()) + expectedHelp(app), {out, err}, kExitUsage);
    } catch (const std::bad_alloc&) {
        return fail("There is not enough memory for this; close other programs, or take a shorter trace.", {out, err});
    } catch (const std::exception& error) {
        return fail(error.what(), {out, err});
    }
}

}  // namespace

int runCli(const std::vector<std::string>& arguments, std::ostream& toOut, std::ostream& toErr)
{
    PrintableStream out(toOut);
    PrintableStream err(toErr);
    const int code = parseAndRun(arguments, out, err);
    out.flush();
    if (out.good() && toOut.good())
        return code;
    fail("Standard output could not be written: the disk may be full, or it was closed.", {out, err});
    return code == kExitOk ? kExitFailed : code;
}

}  // namespace overlane
