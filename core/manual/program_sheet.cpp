#include "core/manual/program_sheet.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <utility>

namespace overlane
{
namespace
{

using Takes = OptionSheet::Takes;

constexpr std::array kFolderTypes = {"FOLDER", "DIR"};
constexpr std::array kProgramTypes = {"COMMAND", "PROGRAM"};
// Words and figures: files that lie around complete neither.
constexpr std::array kTextTypes = {"INT",     "UINT",   "FLOAT", "N",   "SIZE",      "TIME",
                                   "SECONDS", "KEY",    "NAME",  "USE", "KEY=VALUE", "KEY=RANGE",
                                   "GROUP",   "CHANGE", "A-B",   "WxH", "RULE",      "LEVEL|NAME|COUNT"};

// "TEXT:{a,b}" and "TEXT:FILE" without what checks it.
std::string_view bareType(std::string_view type)
{
    return type.substr(0, type.find_first_of(":[= "));
}

template <typename Types>
bool isOneOf(const Types& types, std::string_view type)
{
    return std::find(types.begin(), types.end(), type) != types.end();
}

OptionSheet sheetOf(const CLI::Option& option, std::string_view command, const ValuesOf& valuesOf)
{
    OptionSheet sheet;
    for (const std::string& name : option.get_snames())
        sheet.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        sheet.names.push_back("--" + name);
    if (option.get_positional())
        sheet.names = {option.get_name(true)};
    sheet.words = option.get_description();
    sheet.required = option.get_required();
    sheet.repeats = option.get_expected_max() > 1;
    if (option.get_items_expected_max() == 0)
        return sheet;
    const std::string type = option.get_type_name();
    const bool named = bareType(type) != "TEXT" && bareType(type) != "UINT" && bareType(type) != "INT";
    sheet.type = named ? std::string(type.substr(0, type.find(':'))) : option.get_positional() ? "" : "VALUE";
    if (sheet.type == "FLOAT")
        sheet.type = "NUMBER";
    sheet.standard = option.get_default_str();
    sheet.values = namesWithin(type);
    for (const std::string& name : sheet.names)
        if (sheet.values.empty())
            sheet.values = valuesOf(command, name);
    // A positional that only says TEXT is named by what it is: FILE, COMMAND.
    const std::string_view telling = option.get_positional() && !named ? std::string_view(sheet.names.front()) : type;
    sheet.takes = !sheet.values.empty() ? Takes::Values : takenBy(telling);
    return sheet;
}

CommandSheet commandOf(const CLI::App& app, std::string name, const ValuesOf& valuesOf)
{
    CommandSheet sheet;
    sheet.name = std::move(name);
    sheet.description = app.get_description();
    sheet.help = app.get_footer();
    while (sheet.help.ends_with('\n'))
        sheet.help.pop_back();
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_group().empty())
            continue;
        auto& list = option->get_positional() ? sheet.positionals : sheet.options;
        list.push_back(sheetOf(*option, sheet.name, valuesOf));
    }
    return sheet;
}

}  // namespace

Takes takenBy(std::string_view type)
{
    if (type.find(":FILE") != std::string_view::npos)
        return Takes::Files;
    const std::string_view bare = bareType(type);
    if (isOneOf(kFolderTypes, bare))
        return Takes::Folders;
    if (isOneOf(kProgramTypes, bare))
        return Takes::Program;
    return isOneOf(kTextTypes, bare) ? Takes::Text : Takes::Files;
}

std::vector<std::string> namesWithin(std::string_view type)
{
    std::vector<std::string> names;
    const std::size_t open = type.find(":{");
    const std::size_t close = type.rfind('}');
    if (open == std::string_view::npos || close == std::string_view::npos)
        return names;
    std::string_view list = type.substr(open + 2, close - open - 2);
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        names.emplace_back(list.substr(0, comma));
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return names;
}

ProgramSheet readSheet(const CLI::App& app, std::string version, const ValuesOf& valuesOf)
{
    ProgramSheet sheet;
    sheet.name = app.get_name();
    sheet.version = std::move(version);
    sheet.own = commandOf(app, {}, valuesOf);
    for (const CLI::App* command : app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); }))
        sheet.commands.push_back(commandOf(*command, command->get_name(), valuesOf));
    return sheet;
}

}  // namespace overlane
