// Values that a command line may take from the program's own lists: presets, devices, rules, settings, lessons.
//
// Pure, any thread. A new list is one row.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace overlane
{

// Of an option ("--device") or of what stands without a name ("KEY") of a command; empty where there is no list.
std::vector<std::string> optionValues(std::string_view command, std::string_view option);
// "device", "lessons KEY": what has a list, for a test that each is an option.
std::vector<std::pair<std::string_view, std::string_view>> optionsWithValues();

}  // namespace overlane
