// The sheet of one device profile: every figure and where it comes from, as the profile's file says.
//
// Pure functions, any thread.
#pragma once

#include <string>

#include "core/cli/device_figures.h"
#include "core/devices/device_profile.h"

namespace overlane
{

OrderedJson deviceSheetJson(const DeviceProfile& device);
std::string deviceSheet(const DeviceProfile& device);

}  // namespace overlane
