// How lists name a device profile of the person's own.
//
// Pure, any thread.
#pragma once

#include <optional>

#include <QString>

#include "core/devices/device_profile.h"
#include "core/system/gpu_support.h"

namespace overlane
{

// "This machine, calibrated 2026-11-21" where the calibrated GPU is one of this machine's, else its name.
QString profileLabel(const DeviceProfile& profile, const std::optional<GpuSupport>& support);

}  // namespace overlane
