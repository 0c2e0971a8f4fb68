// Decimal microseconds as they stand in Chrome traces, turned into nanoseconds exactly.
//
// Never through double: an epoch time has 16 digits before the point and up to 3 behind it.
// Digits past the nanosecond round half up. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace overlane
{

// "1712195495519689.25" or "1.5e3"; empty for NaN, Infinity, text and what exceeds int64.
std::optional<std::int64_t> parseMicroseconds(std::string_view token);

// A JSON integer (an exact ".0" is allowed); empty where it is none or exceeds int64.
std::optional<std::int64_t> parseInteger(std::string_view token);

}  // namespace overlane
