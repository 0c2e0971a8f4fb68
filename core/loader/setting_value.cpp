#include "core/loader/setting_value.h"

#include <cmath>
#include <fmt/format.h>

#include "core/base/units.h"

namespace overlane
{

std::string settingValueText(const Setting& setting, double value)
{
    if (setting.kind == SettingKind::Bytes && value >= 0)
        return formatBytes(std::llround(value));
    if (setting.kind == SettingKind::Switch)
        return value != 0 ? "on" : "off";
    if (setting.kind == SettingKind::Real && setting.unit == "us")
        return formatDuration(std::llround(value * static_cast<double>(kNsPerUs)));
    std::string text = fmt::format("{:.4g}", value);
    if (setting.kind != SettingKind::Real) {
        Scenario scratch;
        setting.set(scratch, value);
        text = settingText(setting, scratch);
    }
    return setting.unit.empty() ? text : fmt::format("{} {}", text, setting.unit);
}

std::vector<const Setting*> differingSettings(const Scenario& from, const Scenario& to)
{
    std::vector<const Setting*> changed;
    for (const Setting& setting : allSettings())
        if (setting.get(from) != setting.get(to))
            changed.push_back(&setting);
    return changed;
}

}  // namespace overlane
