// The timeline of a range as a drawing: lanes, ruler and step borders, with the colors and patterns of
// the window.
//
// Pure functions, any thread. The size of the drawing follows its width and not the number of events:
// what is narrower than two units is merged as the window merges it, and one path holds all bars of
// one look. Colors are CSS classes (core/report/report_style.h), so that light and dark come for free.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/steps.h"
#include "core/lod/pyramid.h"
#include "core/report/picture_lanes.h"

namespace overlane
{

constexpr int kPictureWidthPx = 1080;
constexpr int kPictureLabelPx = 136;  // of it: the names of the lanes

// Patterns that every drawing of a page refers to: once per page.
std::string patternDefinitions();

struct PictureShape {
    int widthPx = kPictureWidthPx;
    int lanePx = 24;  // the height of a lane
};

// How high timelineSvg() draws them.
int timelineHeightPx(const std::vector<PictureLane>& lanes, const std::vector<Step>& steps, Interval range,
                     const PictureShape& shape = {});
std::string timelineSvg(const Pyramid& pyramid, const std::vector<PictureLane>& lanes, const std::vector<Step>& steps,
                        Interval range, std::string_view description, const PictureShape& shape = {});

// The whole trace in a strip of thin lanes, with a frame around `shown`.
std::string overviewSvg(const Pyramid& pyramid, const std::vector<PictureLane>& lanes, Interval whole, Interval shown,
                        std::string_view description);

}  // namespace overlane
