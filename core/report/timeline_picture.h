// The timeline of a range as a picture of its own: an SVG file that needs nothing else, for papers and pages.
//
// Pure functions, any thread. Its lanes are those of the report (picture_lanes.h); vectors, whose number follows the
// width of the picture. Colors are written out, since not every program that shows SVG knows variables.
#pragma once

#include <string>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/analysis/steps.h"
#include "core/base/result.h"
#include "core/lod/pyramid.h"

namespace overlane
{

constexpr int kLeastPictureWidthPx = 480;
constexpr int kMostPicturePx = 16'384;

struct PictureRequest {
    Interval range;
    bool dark = false;
    std::string title;    // above the lanes; empty: none
    std::string caption;  // below them: what the picture is of
    bool legend = false;
    bool gauges = false;
    int widthPx = 0;   // 0: that of the report
    int heightPx = 0;  // lanes grow and shrink with it; 0: as high as they are in the report
};

// An Error where the lanes do not fit into the height.
Result<std::string> timelinePicture(const Pyramid& pyramid, const Analysis& analysis, const std::vector<Step>& steps,
                                    const PictureRequest& request);

}  // namespace overlane
