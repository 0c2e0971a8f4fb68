// What a PyTorch trace says of its GPUs and of its rank in members beside the events. Pure functions.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/trace.h"

namespace overlane
{

// "rank 1 of 8" of a member `distributedInfo`, "rank 1" where the number of ranks is not there; empty
// for a job of one rank and for anything else.
std::string parseRank(std::string_view json);
// The same as properties (core/trace/rank_properties.h), those of a job of one rank too.
void addParsedRank(std::map<std::string, std::string>& properties, std::string_view json);

// Devices in the order of the file; empty where the text is not a list of objects.
std::vector<DeviceInfo> parseDeviceProperties(std::string_view json);

}  // namespace overlane
