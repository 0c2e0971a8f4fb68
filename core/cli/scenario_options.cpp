#include "core/cli/scenario_options.h"

#include <fmt/format.h>

#include "core/cli/nearest_name.h"
#include "core/devices/user_profiles.h"
#include "core/loader/presets.h"

namespace overlane
{
namespace
{

constexpr std::string_view kSimulatedEngine = "simulated";
constexpr std::string_view kGpuEngine = "gpu";  // or "gpu:1" for another than the first

// Empty where the text names an engine, else what is wrong.
std::string wrongEngine(const std::string& text)
{
    const bool numbered = text.size() > kGpuEngine.size() + 1 && text.starts_with(kGpuEngine) &&
                          text[kGpuEngine.size()] == ':' && text.size() < kGpuEngine.size() + 5 &&
                          text.find_first_not_of("0123456789", kGpuEngine.size() + 1) == std::string::npos;
    if (text == kSimulatedEngine || text == kGpuEngine || numbered)
        return {};
    return fmt::format("There is no engine \"{}\": write simulated, gpu or gpu:NUMBER.", text);
}

Result<const Preset*> choosePreset(const std::string& wanted)
{
    std::vector<std::string_view> keys;
    for (const Preset& preset : allPresets()) {
        if (wanted.empty() || preset.key == wanted || preset.name == wanted)
            return &preset;
        keys.push_back(preset.key);
    }
    return Error{unknownName("preset", wanted, keys)};
}

}  // namespace

void ScenarioOptions::declare(OptionList& list)
{
    list.add("--device", device, "Device profile to simulate, by name (`overlane run --list`) or file").type("NAME");
    list.add("--preset", preset, "Settings to start from (`overlane run --list`)").type("NAME");
    list.add("--set", settings, "Change one setting: key=value; may be repeated").one().type("KEY=VALUE");
    list.add("--engine", engine, "simulated, or gpu (gpu:1, ...): this machine's own")
        .check(wrongEngine, "NAME")
        .showDefault();
}

Result<void> ScenarioOptions::checkEngine() const
{
    if (std::string wrong = wrongEngine(engine); !wrong.empty())
        return Error{std::move(wrong)};
    return {};
}

int ScenarioOptions::gpu() const
{
    const std::size_t colon = engine.find(':');
    return colon == std::string::npos ? 0 : std::stoi(engine.substr(colon + 1));
}

Result<const DeviceProfile*> chooseDevice(std::string_view wanted)
{
    if (namesProfileFile(wanted))
        return deviceProfileFrom(wanted);
    if (namesProfileFile(wanted))
        return readDeviceProfile(std::string(wanted));
    if (const DeviceProfile* device = findDeviceProfile(wanted))
        return device;
    std::vector<std::string_view> keys;
    for (const DeviceProfile& device : allDeviceProfiles())
        keys.push_back(device.key);
    for (const DeviceProfile* device : userDeviceProfiles())
        keys.push_back(device->key);
    return Error{unknownName("device", wanted, keys)};
}

Result<ChosenScenario> chooseScenario(const ScenarioOptions& options)
{
    ASSIGN_OR_RETURN(const Preset* preset, choosePreset(options.preset));
    ASSIGN_OR_RETURN(const DeviceProfile* device,
                     chooseDevice(options.device.empty() ? preset->device : std::string_view(options.device)));
    ChosenScenario plan{device, preset->scenario};
    for (const std::string& text : options.settings) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos)
            return Error{fmt::format("'--set {}' has no value; write --set key=value.", text)};
        RETURN_IF_ERROR(assignSetting(plan.scenario, text.substr(0, equals), text.substr(equals + 1)));
    }
    if (!options.settings.empty())
        plan.scenario.name += " (changed)";
    RETURN_IF_ERROR(checkScenario(plan.scenario));
    return plan;
}

}  // namespace overlane
