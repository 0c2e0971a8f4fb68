// SweepAxis: one setting of a scenario and the values it takes in a sweep.
//
// Written "KEY=A..B:N" for N values in equal steps, "KEY=A..B*N" for N values in equal ratios (both
// ends belong to them), "KEY=A..B" for every whole number, "KEY=A,B,C" for a list, and "KEY=all" for
// every choice. Values are in the setting's own unit, choices by their place. Pure functions, any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/loader/settings.h"

namespace overlane
{

struct SweepAxis {
    std::string key;
    std::vector<double> values;  // in the order in which they are run; at least one, no two alike
    bool logarithmic = false;    // in equal ratios: draw it so

    const Setting& setting() const { return *findSetting(key); }
    friend bool operator==(const SweepAxis&, const SweepAxis&) = default;
};

// More values than these on one axis are a slip of the finger.
constexpr std::size_t kMostAxisValues = 1000;

enum class AxisSpacing : std::uint8_t { Linear, Logarithmic };
// Whole numbers and bytes are rounded, doubles that come of it dropped. An Error where an end is outside
// the setting's limits, the setting has choices instead of numbers, or ratios would start at 0.
Result<SweepAxis> axisBetween(const Setting& setting, double first, double last, std::size_t count,
                              AxisSpacing spacing);
// A list of values as a person writes them, checked one by one.
Result<SweepAxis> axisOf(const Setting& setting, const std::vector<std::string>& values);

Result<SweepAxis> parseSweepAxis(std::string_view text);
// "KEY=A,B,C" with every value exact, which parses to the same axis but for its spacing.
std::string axisText(const SweepAxis& axis);

}  // namespace overlane
