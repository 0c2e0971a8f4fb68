// The options that name a scenario and the device it is simulated on: --device, --preset, --set and
// --engine, for every command that runs one.
//
// One thread. Mistakes are sentences that name the nearest of what there is.
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/cli/option_list.h"
#include "core/devices/device_profile.h"
#include "core/loader/settings.h"

namespace overlane
{

struct ScenarioOptions {
    std::string device;
    std::string preset;
    std::vector<std::string> settings;  // key=value, in order
    std::string engine = "simulated";

    void declare(OptionList& list);
    // An Error where `engine` names none; the command line asks while it parses.
    Result<void> checkEngine() const;
    bool onGpu() const { return engine != "simulated"; }
    // The number behind "gpu:"; 0 without one.
    int gpu() const;
};

struct ChosenScenario {
    const DeviceProfile* device = nullptr;
    Scenario scenario;
};

Result<const DeviceProfile*> chooseDevice(std::string_view wanted);
// The preset (the first without one) with the settings changed, checked.
Result<ChosenScenario> chooseScenario(const ScenarioOptions& options);

}  // namespace overlane
