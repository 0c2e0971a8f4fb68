#include "core/cli/usage.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <string_view>

#include "core/cli/command.h"
#include "core/cli/nearest_name.h"

namespace overlane
{
namespace
{

// Those that people call; of a process that the program starts for itself there is nothing to say.
std::vector<const Command*> shownCommands()
{
    std::vector<const Command*> shown;
    for (const Command* command : allCommands())
        if (!command->description.empty())
            shown.push_back(command);
    return shown;
}

}  // namespace

std::string firstSteps()
{
    std::string text =
        "Do the copies to the GPU hide behind the compute, and if not, why, and what would change it?\n\n";
    std::size_t longest = 0;
    for (const Command* command : shownCommands())
        longest = std::max(longest, command->name.size());
    for (const Command* command : shownCommands())
        text += fmt::format("  overlane {:<{}}  {}\n", command->name, longest, command->description);
    return text +
           "\nStart with `overlane info FILE` for a trace you have, or `overlane run` for a simulated one.\n"
           "`overlane --help` explains the words, `overlane COMMAND --help` a command.\n";
}

std::string unknownCommand(const std::vector<std::string>& arguments)
{
    if (arguments.empty() || arguments.front().starts_with('-'))
        return {};
    const std::string& given = arguments.front();
    for (const Command* command : allCommands())
        if (command->name == given)
            return {};
    std::vector<std::string_view> names;
    for (const Command* command : shownCommands())
        names.push_back(command->name);
    std::error_code unreadable;
    if (std::filesystem::exists(given, unreadable))
        return fmt::format("'{0}' is a file, not a command; to judge it, call overlane info '{0}'.", given);
    return unknownName("command", given, names);
}

std::string expectedHelp(const CLI::App& app)
{
    const auto chosen = app.get_subcommands();
    return fmt::format("; `overlane {}--help` says what is expected.",
                       chosen.empty() ? "" : chosen.front()->get_name() + " ");
}

std::string unexpectedArgument(const CLI::App& app, const std::vector<std::string>& arguments)
{
    const CLI::App* command = &app;
    for (const CLI::App* chosen : app.get_subcommands())
        command = chosen;
    std::vector<std::string> spelled;
    for (const CLI::Option* option : command->get_options())
        for (const std::string& name : option->get_lnames())
            spelled.push_back("--" + name);
    const std::vector<std::string_view> names(spelled.begin(), spelled.end());
    for (const std::string& argument : arguments) {
        const std::string name = argument.substr(0, argument.find('='));
        if (argument == "--")
            break;
        if (argument.starts_with('-') && !command->get_option_no_throw(name))
            return unknownName("option", name, names);
    }
    return "There is an argument too many" + expectedHelp(app);
}

}  // namespace overlane
