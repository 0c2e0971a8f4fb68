#include "core/cli/run_help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>

#include "core/cli/report.h"
#include "core/engine/device_profile.h"
#include "core/loader/settings.h"

namespace overlane
{
namespace
{

constexpr std::string_view kIndent = "      ";

std::string allowedValues(const Setting& setting)
{
    switch (setting.kind) {
        case SettingKind::Choice:
            return fmt::format("{}", fmt::join(setting.choices, " | "));
        case SettingKind::Switch:
            return "on | off";
        default:
            return fmt::format("{:.10g} to {:.10g}{}{}", setting.minimum, setting.maximum,
                               setting.unit.empty() ? "" : " ", setting.unit);
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
        text +=
            fmt::format("    {} = {}   [{}]\n", setting.key, settingText(setting, defaults), allowedValues(setting));
        text += wrapText(setting.description, kIndent);
    }
    return text;
}

}  // namespace

std::string runHelp()
{
    std::string text =
        "Runs are simulated in this version, on a virtual clock and without a GPU; the figures of each\n"
        "device profile name their source. The same settings and seed give the same trace.\n\n"
        "Settings, with the default and [what is allowed]; sizes take KiB, MiB, GiB:\n";
    text += settingsHelp();
    text += "\nPresets:\n";
    for (const Preset& preset : allPresets())
        text += fmt::format("  {} (on {})\n", preset.key, preset.device) + wrapText(preset.hint, kIndent);
    text += "\nDevices:\n";
    for (const DeviceProfile& device : allDeviceProfiles())
        text += fmt::format("  {:<16}{}\n", device.key, device.name);
    text += R"(
Examples:
  overlane run --preset pinned_side_stream
  overlane run --device rtx4090_desktop --set batch_bytes=64MiB --set workers=8 -o run.overlane
  overlane run --set pin=thread --json | jq .distance)";
    return text;
}

}  // namespace overlane
