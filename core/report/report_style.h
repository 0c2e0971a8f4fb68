// The style sheet of the report, and the colors that its drawings refer to by class.
//
// Pure, any thread. Classes: kN fills with the color of event kind N, hN / dN / oN / sN the same as
// hatch, dots, outline and dense hatch, lN pales to coverage level N, tN is text that reads on kind N.
// Light and dark follow the reader's settings; print is light.
#pragma once

#include <string>

namespace overlane
{

std::string reportStyle();
// Of one drawing alone, with the colors written out instead of named.
std::string pictureStyle(bool dark);

}  // namespace overlane
