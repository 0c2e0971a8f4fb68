// The timeline of a range as a picture of its own: an SVG file that needs nothing else, for papers and pages.
//
// Pure function, any thread. Its lanes are those of the report (picture_lanes.h); vectors, whose number follows the
// width of the picture. Colors are written out, since not every program that shows SVG knows variables.
#pragma once

#include <string>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/analysis/steps.h"
#include "core/lod/pyramid.h"

namespace overlane
{

// `caption` stands below the lanes: what the picture is of.
std::string timelinePicture(const Pyramid& pyramid, const Analysis& analysis, const std::vector<Step>& steps,
                            Interval range, bool dark, const std::string& caption);

}  // namespace overlane
