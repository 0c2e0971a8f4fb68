// The long help of `overlane run`: what is simulated, and every setting, preset and device.
//
// Made from the same lists as the program itself; pure, any thread.
#pragma once

#include <string>

#include "core/cli/device_figures.h"

namespace overlane
{

std::string runHelp();

// Presets and devices with a line about each; as JSON also every setting with its limits.
std::string runList();
OrderedJson runListJson();

}  // namespace overlane
