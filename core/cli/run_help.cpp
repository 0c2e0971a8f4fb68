#include "core/cli/run_help.h"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>
#include <utility>

#include "core/cli/command.h"
#include "core/content/terminal.h"
#include "core/devices/user_profiles.h"
#include "core/loader/presets.h"
#include "core/loader/settings.h"

namespace overlane
{
namespace
{

constexpr std::string_view kTextIndent = "      ";

// As it is typed after --set: "48MiB", not "50331648".
std::string typed(const Setting& setting, double value)
{
    if (setting.kind != SettingKind::Bytes)
        return fmt::format("{:.10g}", value);
    constexpr std::pair<double, std::string_view> kUnits[] = {
        {0x1p40, "TiB"}, {0x1p30, "GiB"}, {0x1p20, "MiB"}, {0x1p10, "KiB"}};
    for (const auto& [size, unit] : kUnits)
        if (value >= size && std::fmod(value, size) == 0)
            return fmt::format("{:.10g}{}", value / size, unit);
    return fmt::format("{:.0f}", value);
}

std::string allowedValues(const Setting& setting)
{
    switch (setting.kind) {
        case SettingKind::Choice:
            return fmt::format("{}", fmt::join(setting.choices, " | "));
        case SettingKind::Switch:
            return "on | off";
        default:
            return fmt::format("{} to {}{}{}", typed(setting, setting.minimum), typed(setting, setting.maximum),
                               setting.unit.empty() ? "" : " ", setting.unit);
    }
}

std::string defaultValue(const Setting& setting, const Scenario& defaults)
{
    switch (setting.kind) {
        case SettingKind::Bytes:
            return typed(setting, setting.get(defaults));
        case SettingKind::Switch:
            return setting.get(defaults) != 0 ? "on" : "off";
        default:
            return settingText(setting, defaults);
    }
}

std::string settingsHelp()
{
    const Scenario defaults = allPresets().front().scenario;
    std::string text;
    std::string_view group;
    for (const Setting& setting : allSettings()) {
        if (setting.group != group) {
            group = setting.group;
            text += fmt::format("  {}\n", group);
        }
        text += fmt::format("    {:<34}{}\n", fmt::format("{}={}", setting.key, defaultValue(setting, defaults)),
                            allowedValues(setting));
        text += wrapText(setting.description, kTextIndent);
    }
    return text;
}

OrderedJson settingJson(const Setting& setting, const Scenario& defaults)
{
    OrderedJson json{{"key", setting.key},
                     {"group", setting.group},
                     {"description", setting.description},
                     {"default", settingText(setting, defaults)}};
    if (setting.kind == SettingKind::Choice)
        json["choices"] = setting.choices;
    else if (setting.kind == SettingKind::Switch)
        json["choices"] = {"on", "off"};
    else
        json.update(OrderedJson{{"unit", setting.kind == SettingKind::Bytes ? "bytes" : setting.unit},
                                {"minimum", setting.minimum},
                                {"maximum", setting.maximum}});
    return json;
}

}  // namespace

std::string runList()
{
    std::string text = "Presets, for --preset:\n";
    for (const Preset& preset : allPresets())
        text += fmt::format("  {} (on {})\n", preset.key, preset.device) + wrapText(preset.hint, kTextIndent);
    text += "\nDevices, for --device:\n";
    for (const DeviceProfile& device : allDeviceProfiles())
        text += fmt::format("  {:<16}  {}\n", device.key, device.name);
    for (const DeviceProfile* device : userDeviceProfiles())
        text += fmt::format("  {:<16}  {} (your own)\n", device->key, device->name);
    return text;
}

OrderedJson runListJson()
{
    OrderedJson json;
    for (const Preset& preset : allPresets())
        json["presets"].push_back(
            {{"key", preset.key}, {"name", preset.name}, {"device", preset.device}, {"hint", preset.hint}});
    for (const DeviceProfile& device : allDeviceProfiles())
        json["devices"].push_back({{"key", device.key}, {"name", device.name}, {"about", device.about}});
    for (const DeviceProfile* device : userDeviceProfiles())
        json["devices"].push_back({{"key", device->key}, {"name", device->name}, {"about", device->about}});
    const Scenario defaults = allPresets().front().scenario;
    for (const Setting& setting : allSettings())
        json["settings"].push_back(settingJson(setting, defaults));
    return json;
}

std::string runHelp()
{
    return "Runs are simulated, on a virtual clock and without a GPU; the figures of each device profile name\n"
           "their source (--list --device NAME). The same settings and seed give the same trace.\n\n"
           "Settings for --set, with their defaults and what is allowed; sizes take KiB, MiB, GiB:\n" +
           settingsHelp() + "\n" + runList() + R"(
Examples:
  overlane run                                            the most common mistake
  overlane run --set pin=thread --set non_blocking=on     one change, same machine
  overlane run --preset pinned_side_stream --json | jq .distance
  overlane run --device rtx4090_desktop --set batch_bytes=64MiB --set workers=8 -o run.overlane
  overlane run --list --device rtx4090_desktop            what that profile assumes, and why

)" + std::string(kExitCodesHelp);
}

}  // namespace overlane
