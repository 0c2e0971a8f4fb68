#include "core/cli/parser.h"

#include <CLI/CLI.hpp>
#include <string_view>

#include "core/cli/option_values.h"
#include "core/cli/version_text.h"

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

}  // namespace

void declareProgram(CLI::App& app, CommandActions& actions)
{
    app.name("overlane");
    app.description(kDescription);
    app.footer(std::string(kFooter) + std::string(kExitCodesHelp) + std::string(kFooterEnd));
    app.set_version_flag("--version", [] { return versionText(); });
    app.require_subcommand(0, 1);
    app.get_formatter()->column_width(22);
    for (const Command* command : allCommands()) {
        CLI::App* sub = app.add_subcommand(std::string(command->name), std::string(command->description));
        sub->footer("");  // not the program's own as well
        sub->footer([command] { return command->help(); });
        if (command->description.empty())
            sub->group("");  // hidden
        OptionList list(*sub);
        actions[sub] = command->declare(list);
    }
}

ProgramSheet programSheet()
{
    CLI::App app;
    CommandActions actions;
    declareProgram(app, actions);
    return readSheet(app, OVERLANE_VERSION, optionValues);
}

}  // namespace overlane
