// Which settings of the laboratory can change nothing as long as others stand as they do, and why.
//
// A pure function of the scenario and the device; any thread. Says so only where a run is the same for
// every value of the setting or every other value is refused, and a test holds it to that.
#pragma once

#include <string_view>

#include <QString>

#include "core/devices/device_profile.h"
#include "core/loader/scenario.h"

namespace overlane
{

// A sentence; empty where the setting has an effect.
QString whyNoEffect(const Scenario& scenario, const DeviceProfile& device, std::string_view key);
// The same for a run on this machine's GPU, which takes the machine as it is.
QString whyNoEffectOnGpu(const Scenario& scenario, std::string_view key);

}  // namespace overlane
