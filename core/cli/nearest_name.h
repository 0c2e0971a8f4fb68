// Unknown names on the command line: which known one was meant, and which there are.
//
// Pure functions, any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace overlane
{

// The name with the fewest edits to `given`; empty where none is near.
std::string_view nearestName(std::string_view given, const std::vector<std::string_view>& names);

// "There is no preset 'pined'; did you mean 'pinned'? The presets are: a, b, c."
std::string unknownName(std::string_view what, std::string_view given, const std::vector<std::string_view>& names);

}  // namespace overlane
