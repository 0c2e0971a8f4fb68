#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/manual/completion.h"

namespace overlane
{
namespace
{

using Takes = OptionSheet::Takes;

std::string fishEscaped(std::string_view text)
{
    std::string result;
    for (const char letter : text)
        result += letter == '\'' || letter == '\\' ? std::string("\\") + letter : std::string(1, letter);
    return result;
}

std::string fishTakes(const OptionSheet& option)
{
    switch (option.takes) {
        case Takes::Values:
            return fmt::format(" -x -a '{}'", fishEscaped(fmt::format("{}", fmt::join(option.values, " "))));
        case Takes::Files:
            return " -r -F";
        case Takes::Folders:
            return " -x -a '(__fish_complete_directories)'";
        case Takes::Program:
            return " -x -a '(__fish_complete_command)'";
        case Takes::Text:
            return " -x";
        case Takes::Nothing:
            break;
    }
    return "";
}

std::string fishLines(const std::string& program, const CommandSheet& command, const std::string& when)
{
    std::string text;
    const std::string condition = when.empty() ? "" : fmt::format(" -n '{}'", when);
    for (const OptionSheet& option : command.options) {
        std::string names;
        for (const std::string& name : option.names)
            names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
        text += fmt::format("complete -c {}{}{}{} -d '{}'\n", program, condition, names, fishTakes(option),
                            fishEscaped(option.words));
    }
    for (const OptionSheet& positional : command.positionals) {
        if (positional.takes == Takes::Files)
            text += fmt::format("complete -c {}{} -F\n", program, condition);
        else if (positional.takes != Takes::Nothing && positional.takes != Takes::Text)
            text += fmt::format("complete -c {}{}{}\n", program, condition, fishTakes(positional));
    }
    return text;
}

}  // namespace

std::string fishCompletion(const ProgramSheet& program)
{
    std::string text = fmt::format("# Completion of {0} for fish, written by the program itself.\n", program.name);
    if (program.commands.empty())
        return text + fishLines(program.name, program.own, {});
    text += fmt::format("complete -c {} -f\n", program.name);
    text += fishLines(program.name, program.own, "__fish_use_subcommand");
    for (const CommandSheet& command : program.commands)
        text += fmt::format("complete -c {} -n __fish_use_subcommand -a {} -d '{}'\n", program.name, command.name,
                            fishEscaped(command.description));
    for (const CommandSheet& command : program.commands)
        text += fishLines(program.name, command, "__fish_seen_subcommand_from " + command.name);
    return text;
}

}  // namespace overlane
