// A device profile made by a calibration: its figures with their spread and source, the record behind them, its
// name, and its file.
//
// Pure functions but for saveProfile(); any thread. What could not be measured keeps the value of the nearest profile
// and says so in its source.
#pragma once

#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/calibration/calibration_record.h"
#include "core/devices/device_profile.h"

namespace overlane
{

struct CalibratedProfile {
    DeviceProfile profile;
    CalibrationRecord record;
};

// The embedded profile of the same GPU, or else of any, whose link and memory are most like what was measured.
const DeviceProfile& nearestProfile(const CalibrationRecord& record);
bool isSameGpu(const DeviceProfile& profile, const std::string& gpu);

CalibratedProfile calibratedProfile(CalibrationRecord record);

// "PCIe 5 x16", "PCIe 4 x8 (of 5 x16)"; empty where nothing is known.
std::string linkText(const PcieLink& link);

// The whole file, record included; parseDeviceProfile() and recordIn() read it.
std::string profileFileText(const CalibratedProfile& calibrated);
// In the folder of the person's own profiles; empty where there is none.
std::string profileFilePath(const DeviceProfile& profile);
// Replaces the file as a whole or leaves it; makes its folder.
Result<void> saveProfile(const CalibratedProfile& calibrated, const std::string& file);

// A profile's file, embedded or of the person's own, with its record where it has one.
Result<std::optional<CalibrationRecord>> recordOf(const DeviceProfile& profile);

}  // namespace overlane
