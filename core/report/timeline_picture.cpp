#include "core/report/timeline_picture.h"

#include <fmt/format.h>

#include "core/content/markup.h"
#include "core/report/picture_lanes.h"
#include "core/report/report_style.h"
#include "core/report/timeline_svg.h"

namespace overlane
{
namespace
{

constexpr int kMarginPx = 8;
constexpr int kCaptionPx = 26;

}  // namespace

std::string timelinePicture(const Pyramid& pyramid, const Analysis& analysis, const std::vector<Step>& steps,
                            Interval range, bool dark, const std::string& caption)
{
    const PictureLanes picture = pictureLanes(pyramid.trace(), analysis);
    const int lanesPx = timelineHeightPx(picture.lanes, steps, range);
    const int widthPx = kPictureWidthPx + 2 * kMarginPx;
    const int heightPx = lanesPx + 2 * kMarginPx + kCaptionPx;
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
        "font-family=\"sans-serif\">\n<style>{2}</style>\n<rect class=\"paper\" width=\"{0}\" height=\"{1}\"/>\n{3}"
        "<svg x=\"{4}\" y=\"{4}\" width=\"{5}\" height=\"{6}\">\n{7}</svg>\n"
        "<text class=\"lane\" x=\"{8}\" y=\"{9}\">{10}</text>\n</svg>\n",
        widthPx, heightPx, pictureStyle(dark), patternDefinitions(), kMarginPx, kPictureWidthPx, lanesPx,
        timelineSvg(pyramid, picture.lanes, steps, range, caption), kMarginPx + 4, heightPx - kMarginPx - 4,
        markupText(caption));
}

}  // namespace overlane
