// Times to the nanosecond, for where three digits are too few: starts of events, a cursor, what is copied.
//
// Pure function, any thread.
#pragma once

#include <cstdint>
#include <string>

namespace overlane
{

// Every digit, groups of three by thin spaces: "21.366 129 432 s", "5.129 432 ms", "129.432 µs", "512 ns". The unit is
// the largest that leaves a whole part; the sign is kept.
std::string formatExactTime(std::int64_t ns);

}  // namespace overlane
