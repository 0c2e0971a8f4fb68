#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/loader/settings.h"

namespace overlane
{
namespace
{

using Json = nlohmann::ordered_json;
constexpr const char* kName = "name";

Json valueOf(const Setting& setting, const Scenario& scenario)
{
    const double value = setting.get(scenario);
    switch (setting.kind) {
        case SettingKind::Choice:
            return settingText(setting, scenario);
        case SettingKind::Switch:
            return value != 0;
        case SettingKind::Integer:
        case SettingKind::Bytes:
            return std::llround(value);
        case SettingKind::Real:
            break;
    }
    return value;
}

}  // namespace

std::string scenarioToJson(const Scenario& scenario)
{
    Json root;
    root[kName] = scenario.name;
    for (const Setting& setting : allSettings())
        root[std::string(setting.key)] = valueOf(setting, scenario);
    return root.dump(2, ' ', false, Json::error_handler_t::replace);
}

Result<Scenario> scenarioFromJson(std::string_view json)
{
    const Json root = Json::parse(json, nullptr, false);
    if (root.is_discarded())
        return Error{"The scenario is not valid JSON; write an object such as {\"workers\": 4}."};
    if (!root.is_object())
        return Error{"The scenario must be a JSON object of settings, such as {\"workers\": 4}."};
    Scenario scenario;
    for (const auto& [key, value] : root.items()) {
        if (key == kName) {
            if (!value.is_string())
                return Error{"'name' of the scenario must be a text."};
            scenario.name = value.get<std::string>();
            continue;
        }
        if (value.is_structured() || value.is_null())
            return Error{fmt::format("'{}' of the scenario must be a single value.", key)};
        const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
        RETURN_IF_ERROR(assignSetting(scenario, key, text));
    }
    RETURN_IF_ERROR(checkScenario(scenario));
    return scenario;
}

}  // namespace overlane
