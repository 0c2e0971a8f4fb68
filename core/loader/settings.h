// The settings of a Scenario as data: one list that the command line, the form in the window,
// scenario files and the documentation are all made from. Whole sets of them: core/loader/presets.h.
//
// Constants, made at the first call, and functions without state; any thread. The values of a setting are in its unit,
// bytes for SettingKind::Bytes.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/devices/device_profile.h"
#include "core/loader/scenario.h"

namespace overlane
{

enum class SettingKind : std::uint8_t { Integer, Real, Bytes, Switch, Choice };

struct Setting {
    std::string_view key;          // "batch_bytes"; stable
    std::string_view label;        // "Batch size"
    std::string_view group;        // "Data", "Loader", "Host memory", "Copy", "Compute", "Machine"
    std::string_view description;  // one sentence, for --help and tool tips
    std::string_view lesson;       // key of the lesson that shows it (resources/lessons)
    SettingKind kind = SettingKind::Integer;
    std::string_view unit;  // "us", "" where there is none
    double minimum = 0;     // for numbers; inclusive
    double maximum = 0;
    bool logarithmic = false;               // whether a slider should run in ratios
    bool advanced = false;                  // seldom changed: the window shows it last, folded away
    std::vector<std::string_view> choices;  // for Choice, as written on the command line

    // Number for Integer, Real, Bytes; 0 or 1 for Switch; index into choices for Choice.
    std::function<double(const Scenario&)> get;
    std::function<void(Scenario&, double)> set;  // value within the limits
};

// In the order in which they are shown.
std::span<const Setting> allSettings();
const Setting* findSetting(std::string_view key);  // nullptr where there is none

// "48MiB" and "48e6" for Bytes, "true/false/on/off/1/0" for Switch, a name for Choice.
// The Error says what is allowed, and names the nearest key for an unknown one.
Result<void> assignSetting(Scenario& scenario, std::string_view key, std::string_view text);
std::string settingText(const Setting& setting, const Scenario& scenario);

// JSON object {key: value}; reading accepts a subset of keys over the defaults.
std::string scenarioToJson(const Scenario& scenario);
Result<Scenario> scenarioFromJson(std::string_view json);

// All values within their limits and consistent with each other; with a device, also possible on it
// and its machine.
Result<void> checkScenario(const Scenario& scenario);
Result<void> checkScenario(const Scenario& scenario, const DeviceProfile& device);

}  // namespace overlane
