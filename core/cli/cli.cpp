#include "core/cli/cli.h"

#include <CLI/CLI.hpp>
#include <exception>
#include <new>

#include "core/cli/parser.h"
#include "core/cli/printable_stream.h"
#include "core/cli/usage.h"

namespace overlane
{
namespace
{

int runParsed(CLI::App& app, CommandActions& actions, std::ostream& out, std::ostream& err)
{
    for (const CLI::App* chosen : app.get_subcommands())
        return actions.at(chosen)({out, err});
    out << firstSteps();
    return kExitUsage;
}

int parseAndRun(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err)
{
    CLI::App app;
    CommandActions actions;
    declareProgram(app, actions);
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
