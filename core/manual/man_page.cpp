#include "core/manual/man_page.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <fmt/format.h>

namespace overlane
{
namespace
{

// The code point that begins at `at`, which moves behind it.
std::uint32_t takeCodePoint(std::string_view text, std::size_t& at)
{
    const auto byte = static_cast<unsigned char>(text[at++]);
    const int more = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : byte >= 0xC0 ? 1 : 0;
    std::uint32_t point = more == 0 ? byte : byte & (0x3Fu >> more);
    for (int i = 0; i < more && at < text.size(); ++i)
        point = (point << 6) | (static_cast<unsigned char>(text[at++]) & 0x3F);
    return point;
}

std::string escaped(std::string_view text)
{
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const bool startsLine = result.empty() || result.back() == '\n';
        const std::uint32_t point = takeCodePoint(text, at);
        if (startsLine && (point == '.' || point == '\''))
            result += "\\&";
        if (point == '\\')
            result += "\\e";
        else if (point == '-')
            result += "\\-";
        else if (point == '`')
            result += "\\(ga";
        else if (point == '\'')
            result += "\\(aq";
        else if (point == '^')
            result += "\\(ha";
        else if (point == '~')
            result += "\\(ti";
        else if (point < 0x80)
            result += static_cast<char>(point);
        else
            result += fmt::format("\\[u{:04X}]", point);
    }
    return result;
}

std::string upper(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
    return text;
}

std::string head(const std::string& name, const ProgramSheet& program, const std::string& description)
{
    std::string said = description;
    if (said.ends_with('.'))
        said.pop_back();
    return fmt::format(".TH {} 1 \"\" \"{} {}\" \"Overlane\"\n.SH NAME\n{} \\- {}\n", upper(name), program.name,
                       program.version, escaped(name), escaped(said));
}

std::string optionText(const OptionSheet& option)
{
    std::string names;
    for (const std::string& name : option.names)
        names += (names.empty() ? "" : ", ") + fmt::format("\\fB{}\\fR", escaped(name));
    if (!option.type.empty() && option.names.front().starts_with('-'))
        names += fmt::format(" \\fI{}\\fR", escaped(option.type));
    std::string text = fmt::format(".TP\n{}\n{}\n", names, option.words.empty() ? "\\&" : escaped(option.words));
    if (!option.standard.empty())
        text += fmt::format(".br\nDefault: {}.\n", escaped(option.standard));
    if (!option.values.empty()) {
        std::string list;
        for (const std::string& value : option.values)
            list += (list.empty() ? "" : ", ") + escaped(value);
        text += fmt::format(".br\nOne of: {}.\n", list);
    }
    return text;
}

std::string listText(std::string_view title, const std::vector<OptionSheet>& options)
{
    std::string text = options.empty() ? "" : fmt::format(".SH {}\n", title);
    for (const OptionSheet& option : options)
        text += optionText(option);
    return text;
}

// As printed: its columns carry meaning.
std::string printedText(std::string_view title, const std::string& help)
{
    return help.empty() ? "" : fmt::format(".SH {}\n.EX\n{}\n.EE\n", title, escaped(help));
}

std::string synopsis(const std::string& name, const CommandSheet& command)
{
    std::string text = fmt::format(".SH SYNOPSIS\n.B {}\n", escaped(name));
    if (!command.options.empty())
        text += "[\\fIOPTION\\fR ...]\n";
    for (const OptionSheet& positional : command.positionals) {
        const std::string shown =
            fmt::format("\\fI{}\\fR{}", escaped(positional.names.front()), positional.repeats ? " ..." : "");
        text += positional.required ? shown + "\n" : fmt::format("[{}]\n", shown);
    }
    return text;
}

}  // namespace

ManPage programPage(const ProgramSheet& program)
{
    std::string text = head(program.name, program, program.own.description);
    text += synopsis(program.name, program.own);
    if (!program.commands.empty()) {
        text +=
            fmt::format(".br\n.B {}\n\\fICOMMAND\\fR [\\fIARGUMENT\\fR ...]\n.SH COMMANDS\n", escaped(program.name));
        for (const CommandSheet& command : program.commands)
            text += fmt::format(".TP\n.BR {} (1)\n{}\n", escaped(fmt::format("{}-{}", program.name, command.name)),
                                escaped(command.description));
    }
    text += listText("ARGUMENTS", program.own.positionals) + listText("OPTIONS", program.own.options);
    return {program.name + ".1", text + printedText("NOTES", program.own.help)};
}

ManPage commandPage(const ProgramSheet& program, const CommandSheet& command)
{
    const std::string file = program.name + "-" + command.name;
    std::string text = head(file, program, command.description);
    text += synopsis(program.name + " " + command.name, command);
    text += listText("ARGUMENTS", command.positionals) + listText("OPTIONS", command.options);
    text += printedText("DETAILS", command.help);
    text += fmt::format(".SH SEE ALSO\n.BR {} (1)\n", escaped(program.name));
    return {file + ".1", text};
}

}  // namespace overlane
