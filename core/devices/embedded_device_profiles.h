// The texts of resources/devices/*.json, embedded at build time. Immutable, any thread.
#pragma once

#include <string_view>
#include <vector>

namespace overlane
{

const std::vector<std::string_view>& embeddedDeviceProfiles();

}  // namespace overlane
