// What memory and copies cost by size, from the figures of a device profile: the parts apart that a
// simulated run adds up.
//
// A profile that was calibrated on a machine gives that machine's curves, with the spread of each
// measured size. Pure functions, any thread. Times in nanoseconds, sizes in bytes, rates in bytes per
// nanosecond; in tables, bytes per second.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/devices/device_profile.h"
#include "core/runs/figure_unit.h"

namespace overlane
{

struct CurvePoint {
    std::int64_t bytes = 0;
    double value = 0;
    double low = 0;  // both the value where there is no spread
    double high = 0;
    friend bool operator==(const CurvePoint&, const CurvePoint&) = default;
};

struct SizeCurve {
    std::string group;  // "pageable"
    std::string name;   // "first touch"
    std::vector<CurvePoint> points;
    std::string fullName() const { return group + ", " + name; }
};

struct CurveSheet {
    std::string title;
    std::string valueLabel;  // "Time", "Rate"
    FigureUnit unit = kTimeUnit;
    std::vector<SizeCurve> curves;
    std::vector<std::string> notes;  // what the figures mean, a sentence each
};

// 4 KiB to 1 GiB in steps of four.
std::vector<std::int64_t> curveSizes();

// What one buffer costs from its allocation to its end, for pageable, page-locked and registered
// memory: allocate, first touch, transfer to the device, free.
CurveSheet allocationCurves(const DeviceProfile& device, const std::vector<std::int64_t>& sizes);
// Rates from the call until the data has arrived, for both directions and kinds of memory.
CurveSheet copyRateCurves(const DeviceProfile& device, const std::vector<std::int64_t>& sizes);

// From a value of the sheet to what its tables hold, and the name of that unit.
double curveColumnFactor(const CurveSheet& sheet);
std::string_view curveColumnUnit(const CurveSheet& sheet);
std::string curvesCsv(const CurveSheet& sheet);

}  // namespace overlane
