#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/manual/completion.h"

namespace overlane
{
namespace
{

using Takes = OptionSheet::Takes;

// Within a single-quoted specification of _arguments, where brackets and colons end its parts.
std::string zshEscaped(std::string_view text)
{
    std::string result;
    for (const char letter : text) {
        if (letter == '\'')
            result += "'\\''";
        else if (letter == '[' || letter == ']' || letter == ':' || letter == '\\')
            result += std::string("\\") + letter;
        else
            result += letter;
    }
    return result;
}

std::string zshAction(const OptionSheet& option)
{
    switch (option.takes) {
        case Takes::Values:
            return fmt::format("({})", zshEscaped(fmt::format("{}", fmt::join(option.values, " "))));
        case Takes::Files:
            return "_files";
        case Takes::Folders:
            return "_files -/";
        case Takes::Program:
            return "_command_names -e";
        case Takes::Nothing:
        case Takes::Text:
            break;
    }
    return " ";
}

std::string zshOption(const OptionSheet& option, const std::string& name)
{
    std::string text = fmt::format("'{}{}", option.repeats ? "*" : "", name);
    if (option.takes != Takes::Nothing)
        text += name.starts_with("--") ? "=" : "+";
    text += fmt::format("[{}]", zshEscaped(option.words));
    if (option.takes != Takes::Nothing)
        text += fmt::format(":{}:{}", zshEscaped(option.type), zshAction(option));
    return text + "'";
}

std::string zshArguments(const CommandSheet& command, std::string_view indent)
{
    std::string text;
    for (const OptionSheet& option : command.options)
        for (const std::string& name : option.names)
            text += fmt::format(" \\\n{}{}", indent, zshOption(option, name));
    for (const OptionSheet& positional : command.positionals) {
        if (positional.takes == Takes::Program)  // and its own arguments, as it completes them
            text += fmt::format(" \\\n{}'(-)*::{}: _normal'", indent, zshEscaped(positional.names.front()));
        else
            text += fmt::format(" \\\n{}'{}:{}:{}'", indent, positional.repeats ? "*" : "",
                                zshEscaped(positional.names.front()), zshAction(positional));
    }
    return text;
}

}  // namespace

std::string zshCompletion(const ProgramSheet& program)
{
    std::string text = fmt::format("#compdef {}\n# Completion for zsh, written by the program itself.\n", program.name);
    if (program.commands.empty())
        return text + fmt::format("_arguments -s{}\n", zshArguments(program.own, "    "));
    text += "local state line\ntypeset -A opt_args\n_arguments -C" + zshArguments(program.own, "    ") +
            " \\\n    '1:command:->command' \\\n    '*::argument:->argument'\ncase $state in\n  command)\n"
            "    local -a commands=(\n";
    for (const CommandSheet& command : program.commands)
        text += fmt::format("      '{}:{}'\n", command.name, zshEscaped(command.description));
    text += "    )\n    _describe command commands\n    ;;\n  argument)\n    case $line[1] in\n";
    for (const CommandSheet& command : program.commands)
        text += fmt::format("      {})\n        _arguments -s{}\n        ;;\n", command.name,
                            zshArguments(command, "          "));
    return text + "    esac\n    ;;\nesac\n";
}

}  // namespace overlane
