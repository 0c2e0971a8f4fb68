// The GPUs that a PyTorch trace describes in its "deviceProperties" member. Pure function.
#pragma once

#include <string_view>
#include <vector>

#include "core/trace/trace.h"

namespace overlane
{

// Devices in the order of the file; empty where the text is not a list of objects.
std::vector<DeviceInfo> parseDeviceProperties(std::string_view json);

}  // namespace overlane
