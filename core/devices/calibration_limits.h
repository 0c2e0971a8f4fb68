// How much memory a calibration may take on this machine, or why it may take none.
//
// Pure functions, any thread. Bytes. At most an eighth of what is available on the host is taken at any time, in one
// block, plus an eighth that is read in turn; on the GPU a quarter of what is free.
#pragma once

#include <cstdint>

#include "core/base/result.h"
#include "core/devices/calibration_samples.h"

namespace overlane
{

// Refused with the numbers where less than kLeastAvailableBytes is available.
Result<CalibrationLimits> calibrationLimits(std::int64_t availableBytes, std::int64_t freeOnDeviceBytes, bool quick);

constexpr std::int64_t kLeastAvailableBytes = std::int64_t{2} << 30;
constexpr std::int64_t kLeastFreeOnDeviceBytes = std::int64_t{1} << 30;

}  // namespace overlane
