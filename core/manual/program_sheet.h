// ProgramSheet: the command line of a program as data, read from the very declarations that parse it: commands,
// options, what each takes. Manual pages (man_page.h) and completion (completion.h) are written from it.
//
// Plain data; any thread. What is hidden of the help is in no sheet.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI
{
class App;
}

namespace overlane
{

struct OptionSheet {
    enum class Takes : std::uint8_t { Nothing, Values, Files, Folders, Program, Text };

    std::vector<std::string> names;  // "-o", "--output"; "FILE" of what stands without a name
    std::string type;                // "FILE", "N"; empty for a flag
    std::string words;
    std::string standard;             // without it; empty: not said
    std::vector<std::string> values;  // of Takes::Values; "key=" where more follows
    Takes takes = Takes::Nothing;
    bool required = false;
    bool repeats = false;
};

struct CommandSheet {
    std::string name;  // empty: the program itself
    std::string description;
    std::string help;  // below the options, as the program prints it
    std::vector<OptionSheet> options;
    std::vector<OptionSheet> positionals;
};

struct ProgramSheet {
    std::string name;
    std::string version;
    CommandSheet own;
    std::vector<CommandSheet> commands;  // in the order of the help
};

// Values of an option that are lists of the program's own; empty where it has none.
using ValuesOf = std::function<std::vector<std::string>(std::string_view command, std::string_view option)>;
ProgramSheet readSheet(const CLI::App& app, std::string version, const ValuesOf& valuesOf);

// What an option of this type takes: "FILE" files, "FOLDER" folders, "COMMAND" a program, "N" and sizes text.
OptionSheet::Takes takenBy(std::string_view type);
// The names of "TEXT:{gpu,simulated}"; empty where there are none.
std::vector<std::string> namesWithin(std::string_view type);

}  // namespace overlane
