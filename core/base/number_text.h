// Numbers in the text of files, of pipes and of the command line: written with a point, under every
// locale. strtod, stod and their kin read a comma where the user's locale has one.
//
// Pure functions, any thread.
#pragma once

#include <optional>
#include <string_view>

namespace overlane
{

// The number that the whole text is; none where it is no number, or none that a double holds.
std::optional<double> parseReal(std::string_view text);

// As parseReal, of the number that the text begins with, which is then taken off the text.
std::optional<double> takeReal(std::string_view& text);

// The number that `value` is when written with so many significant digits.
double roundedToDigits(double value, int digits);

}  // namespace overlane
