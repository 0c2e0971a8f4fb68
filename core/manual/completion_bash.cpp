#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/manual/completion.h"

namespace overlane
{
namespace
{

using Takes = OptionSheet::Takes;

constexpr std::string_view kBegin = R"(# Completion of {0} for bash, written by the program itself.
_{1}_files() {{
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen "$1" -- "$2")
}}
_{1}_words() {{
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
    [[ ${{#COMPREPLY[@]}} -eq 1 && ${{COMPREPLY[0]}} == *= ]] && compopt -o nospace 2>/dev/null
}}
_{1}() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} command= word at
    COMPREPLY=()
    # Bash takes --option=value apart.
    if [[ $current == = ]]; then
        current=
    elif [[ $previous == = ]]; then
        previous=${{COMP_WORDS[COMP_CWORD-2]}}
    fi
    for ((at = 1; at < COMP_CWORD; ++at)); do
        word=${{COMP_WORDS[at]}}
        if [[ $word == -- ]]; then
            _{1}_files -fc "$current"
            return
        fi
        [[ -z $command && $word != -* ]] && command=$word
    done
)";

std::string completeCall(const std::string& function, const OptionSheet& option)
{
    switch (option.takes) {
        case Takes::Values:
            return fmt::format("_{}_words '{}' \"$current\"", function, fmt::join(option.values, " "));
        case Takes::Files:
            return fmt::format("_{}_files -f \"$current\"", function);
        case Takes::Folders:
            return fmt::format("_{}_files -d \"$current\"", function);
        case Takes::Program:
            return fmt::format("_{}_files -fc \"$current\"", function);
        case Takes::Nothing:
        case Takes::Text:
            break;
    }
    return ":";
}

// The body of a case: values of the option before, then options, or what stands without a name.
std::string commandCase(const std::string& function, const CommandSheet& command, const std::string& others)
{
    std::string text;
    std::string names;
    for (const OptionSheet& option : command.options) {
        for (const std::string& name : option.names)
            names += (names.empty() ? "" : " ") + name;
        if (option.takes != Takes::Nothing)
            text += fmt::format("                {}) {}; return ;;\n", fmt::join(option.names, "|"),
                                completeCall(function, option));
    }
    if (!text.empty())
        text = "            case $previous in\n" + text + "            esac\n";
    return text + fmt::format(
                      "            if [[ $current == -* ]]; then\n"
                      "                _{}_words '{}' \"$current\"\n"
                      "            else\n                {}\n            fi\n            ;;\n",
                      function, names, others);
}

std::string positionalCall(const std::string& function, const CommandSheet& command)
{
    return command.positionals.empty() ? ":" : completeCall(function, command.positionals.front());
}

}  // namespace

std::string bashCompletion(const ProgramSheet& program)
{
    std::string function = program.name;
    std::replace(function.begin(), function.end(), '-', '_');
    std::string text = fmt::format(kBegin, program.name, function) + "    case $command in\n";
    std::string commands;
    for (const CommandSheet& command : program.commands) {
        commands += (commands.empty() ? "" : " ") + command.name;
        text += fmt::format("        {})\n{}", command.name,
                            commandCase(function, command, positionalCall(function, command)));
    }
    const bool hasCommands = !program.commands.empty();
    const std::string own = hasCommands ? fmt::format("_{}_words '{}' \"$current\"", function, commands)
                                        : positionalCall(function, program.own);
    text += fmt::format("        {})\n{}    esac\n", hasCommands ? "''" : "*", commandCase(function, program.own, own));
    return text + fmt::format("}}\ncomplete -F _{} {}\n", function, program.name);
}

}  // namespace overlane
