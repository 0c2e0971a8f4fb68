// The figures and tables of a device profile by their keys in the file: one visible list for whoever
// reads, writes, fills or shows them by name.
//
// Pure data, any thread. A new figure or table is a member of DeviceProfile and one line in its list.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/devices/device_profile.h"

namespace overlane
{

struct ProfileFigure {
    const char* key;
    std::variant<std::int64_t DeviceProfile::*, double DeviceProfile::*> member;
    bool mayBeZero = false;
    double largest = 1e18;

    double valueIn(const DeviceProfile& profile) const;
    void assign(DeviceProfile& profile, double value) const;
};

struct ProfileTable {
    const char* key;
    CostTable DeviceProfile::*member;
    const char* probe;  // what a calibration makes it of (core/devices/probes.h)
};

std::span<const ProfileFigure> profileFigures();
std::span<const ProfileTable> profileTables();
const ProfileFigure* findProfileFigure(std::string_view key);  // nullptr where there is none

// Under which DeviceProfile::spreads has one row of a table.
std::string rowKey(std::string_view table, std::int64_t bytes);

}  // namespace overlane
