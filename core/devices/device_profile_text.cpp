#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/devices/device_profile.h"
#include "core/devices/profile_figures.h"

namespace overlane
{
namespace
{

using OrderedJson = nlohmann::ordered_json;

constexpr double kLargestWhole = 9e15;  // doubles hold every integer up to here

// Whole numbers without a fraction, so that bytes read as bytes.
OrderedJson number(double value)
{
    if (std::abs(value) < kLargestWhole && value == std::round(value))
        return static_cast<std::int64_t>(value);
    return value;
}

std::string sourceOf(const DeviceProfile& profile, const char* key)
{
    const auto found = profile.sources.find(key);
    return found != profile.sources.end() ? found->second : std::string();
}

std::string jsonText(std::string_view text)
{
    return OrderedJson(text).dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

std::string figureText(const DeviceProfile& profile, const ProfileFigure& figure)
{
    OrderedJson entry{{"value", number(figure.valueIn(profile))}};
    if (const auto spread = profile.spreads.find(figure.key); spread != profile.spreads.end()) {
        entry["low"] = number(spread->second.low);
        entry["high"] = number(spread->second.high);
        entry["samples"] = spread->second.samples;
    }
    entry["source"] = sourceOf(profile, figure.key);
    return fmt::format("    {}: {}", jsonText(figure.key),
                       entry.dump(-1, ' ', false, OrderedJson::error_handler_t::replace));
}

std::string tableText(const DeviceProfile& profile, const ProfileTable& table)
{
    std::string rows;
    for (const auto& [bytes, costNs] : (profile.*table.member).rows()) {
        OrderedJson row{bytes, number(costNs / 1000)};
        if (const auto spread = profile.spreads.find(rowKey(table.key, bytes)); spread != profile.spreads.end()) {
            row.push_back(number(spread->second.low));
            row.push_back(number(spread->second.high));
            row.push_back(spread->second.samples);
        }
        rows += (rows.empty() ? "" : ", ") + row.dump();
    }
    return fmt::format("    {}: {{\n      \"source\": {},\n      \"rows\": [{}]\n    }}", jsonText(table.key),
                       jsonText(sourceOf(profile, table.key)), rows);
}

}  // namespace

std::string deviceProfileText(const DeviceProfile& profile)
{
    std::string text = fmt::format("{{\n  \"key\": {},\n  \"name\": {},\n  \"about\": {},\n", jsonText(profile.key),
                                   jsonText(profile.name), jsonText(profile.about));
    if (!profile.basedOn.empty())
        text += fmt::format("  \"based_on\": {},\n", jsonText(profile.basedOn));
    text += "  \"figures\": {\n";
    const char* separator = "";
    for (const ProfileFigure& figure : profileFigures()) {
        text += separator + figureText(profile, figure);
        separator = ",\n";
    }
    text += "\n  },\n  \"tables\": {\n";
    separator = "";
    for (const ProfileTable& table : profileTables()) {
        text += separator + tableText(profile, table);
        separator = ",\n";
    }
    return text + "\n  }\n}\n";
}

}  // namespace overlane
