// Values of settings as people read them, where settingText() writes what the command line takes back.
//
// Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "core/loader/settings.h"

namespace overlane
{

// "48.0 MiB", "1.90 ms", "on", "thread", "4": rounded, with its unit.
std::string settingValueText(const Setting& setting, double value);

// The settings whose values differ, in the order of allSettings().
std::vector<const Setting*> differingSettings(const Scenario& from, const Scenario& to);

}  // namespace overlane
