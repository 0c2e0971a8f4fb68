// Names of counters that lie so near to each other that each says whose memory it is.
//
// Pure; any thread. Their order: gaugeRank() (core/trace/track_names.h).
#pragma once

#include <string>
#include <string_view>

namespace overlane
{

// Bytes that a program allocated on a device; of a second program its process is named behind it.
constexpr std::string_view kDeviceMemoryCounter = "Device memory allocated";
// Bytes in use on a device, of every program.
constexpr std::string_view kWholeDeviceMemoryCounter = "Device memory, all programs";

// That of a counter in a file, where files of before 2026-11-27 have one that tells these two not apart.
std::string clearCounterName(std::string_view recorded);

}  // namespace overlane
