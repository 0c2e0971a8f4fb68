// Device profiles from files: those a person calibrated or was given, beside the embedded ones.
//
// The folder is $XDG_DATA_HOME/overlane/devices (~/.local/share where that is not set, XDG Base Directory
// Specification). What was read stays for the life of the program, so that a pointer to a profile stays
// valid when its file changes or goes; a changed file is read as a new profile that takes the old one's
// place. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/devices/device_profile.h"

namespace overlane
{

std::string userProfileFolder();  // empty where the system names no home

// Of that folder, in order of their file names; files that cannot be read are left out.
std::vector<const DeviceProfile*> userDeviceProfiles();

// An embedded profile by its key, one of the folder by its key, or one of any file. Where a file has the
// key of another profile it is known as "KEY@FILE".
Result<const DeviceProfile*> deviceProfileFrom(std::string_view keyOrFile);
Result<const DeviceProfile*> readDeviceProfile(const std::string& file);

// The file's text as it was read; empty for a profile that was not read from a file.
std::string userProfileText(const DeviceProfile& profile);

// Whether the text means a file, not a key.
bool namesProfileFile(std::string_view keyOrFile);

}  // namespace overlane
