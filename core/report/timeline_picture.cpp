#include "core/report/timeline_picture.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/content/markup.h"
#include "core/report/gauge_svg.h"
#include "core/report/picture_lanes.h"
#include "core/report/report_style.h"
#include "core/report/timeline_legend.h"
#include "core/report/timeline_svg.h"

namespace overlane
{
namespace
{

constexpr int kMarginPx = 8;
constexpr int kCaptionPx = 26;
constexpr int kTitleLinePx = 22;
constexpr int kLegendLinePx = 20;
constexpr int kLeastLanePx = 14;
constexpr int kMostLanePx = 120;
constexpr double kTitleCharacterPx = 8.2;   // of the 15 px title
constexpr double kLegendCharacterPx = 6.6;  // of the 11 px text
constexpr std::size_t kMostTitleLines = 3;

// Broken at spaces; what does not fit into the last line is elided.
std::vector<std::string> titleLines(const std::string& title, int widthPx)
{
    const auto fits = static_cast<std::size_t>(widthPx / kTitleCharacterPx);
    std::vector<std::string> lines;
    std::string_view rest = title;
    while (!rest.empty()) {
        if (rest.size() <= fits || lines.size() + 1 == kMostTitleLines) {
            lines.push_back(shortened(rest, fits));
            break;
        }
        const std::size_t space = rest.rfind(' ', fits);
        const std::size_t end = space == std::string_view::npos || space == 0 ? rest.find(' ', fits) : space;
        lines.push_back(shortened(rest.substr(0, end), fits));
        rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    }
    return lines;
}

struct Legend {
    std::string svg;  // from y = 0 on
    int heightPx = 0;
};

Legend legendOf(const Trace& trace, Interval range, int widthPx)
{
    constexpr int kSwatchPx = 22;
    constexpr int kGapPx = 18;
    Legend legend;
    double x = 4;
    for (const PictureLegendEntry& entry : legendEntries({&trace}, range)) {
        const double width = kSwatchPx + 6 + static_cast<double>(entry.label.size()) * kLegendCharacterPx;
        if (legend.heightPx == 0 || x + width > widthPx) {
            legend.heightPx += kLegendLinePx;
            x = 4;
        }
        const int top = legend.heightPx - kLegendLinePx;
        legend.svg += fmt::format(
            "<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"11\"/><text class=\"tick\" x=\"{}\" "
            "y=\"{}\">{}</text>\n",
            entry.cssClass, pixels(x), top + 4, kSwatchPx, pixels(x + kSwatchPx + 6), top + 13, entry.label);
        x += width + kGapPx;
    }
    return legend;
}

}  // namespace

Result<std::string> timelinePicture(const Pyramid& pyramid, const Analysis& analysis, const std::vector<Step>& steps,
                                    const PictureRequest& request)
{
    const Trace& trace = pyramid.trace();
    PictureLanes picture = pictureLanes(trace, analysis);
    const Interval range = request.range;
    PictureShape shape;
    if (request.widthPx > 0)
        shape.widthPx = request.widthPx - 2 * kMarginPx;
    const std::vector<std::string> title = titleLines(request.title, shape.widthPx);
    const int titlePx = static_cast<int>(title.size()) * kTitleLinePx;
    const Legend legend = request.legend ? legendOf(trace, range, shape.widthPx) : Legend();
    const PictureGauges gauges = request.gauges ? pictureGauges(trace, range) : PictureGauges();
    picture.gaugesLeftOut = gauges.leftOut;
    const int gaugesPx = static_cast<int>(gauges.shown.size()) * kGaugePx;
    const int besidesPx = titlePx + gaugesPx + legend.heightPx + kCaptionPx + 2 * kMarginPx;
    if (const int lanes = static_cast<int>(picture.lanes.size()); request.heightPx > 0 && lanes > 0) {
        const int onePx = timelineHeightPx(picture.lanes, steps, range, {shape.widthPx, 0});
        shape.lanePx = std::min((request.heightPx - besidesPx - onePx) / lanes, kMostLanePx);
        if (shape.lanePx < kLeastLanePx)
            return Error{fmt::format("{} lanes need a height of {} pixels at least, not {}.", lanes,
                                     besidesPx + onePx + lanes * kLeastLanePx, request.heightPx)};
    }
    const int lanesPx = timelineHeightPx(picture.lanes, steps, range, shape);
    const int widthPx = shape.widthPx + 2 * kMarginPx;
    const int heightPx = request.heightPx > 0 ? request.heightPx : besidesPx + lanesPx;
    std::string caption = request.caption;
    if (request.legend)  // a picture that explains itself
        caption += leftOutText(picture);
    std::string text = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
        "font-family=\"sans-serif\">\n<style>{2}</style>\n<rect class=\"paper\" width=\"{0}\" height=\"{1}\"/>\n{3}",
        widthPx, heightPx, pictureStyle(request.dark), patternDefinitions());
    for (std::size_t line = 0; line < title.size(); ++line)
        text += fmt::format("<text class=\"title\" x=\"{}\" y=\"{}\">{}</text>\n", kMarginPx + 4,
                            kMarginPx + static_cast<int>(line) * kTitleLinePx + 15, markupText(title[line]));
    text +=
        fmt::format("<svg x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\">\n{}</svg>\n", kMarginPx, kMarginPx + titlePx,
                    shape.widthPx, lanesPx, timelineSvg(pyramid, picture.lanes, steps, range, caption, shape));
    const auto group = [&](int topPx, const std::string& drawn) {
        if (!drawn.empty())
            text += fmt::format("<g transform=\"translate({},{})\">\n{}</g>\n", kMarginPx, topPx, drawn);
    };
    group(kMarginPx + titlePx + lanesPx, gaugesSvg(trace, gauges, range, 0, shape));
    group(heightPx - kMarginPx - kCaptionPx - legend.heightPx, legend.svg);
    return text + fmt::format("<text class=\"lane\" x=\"{}\" y=\"{}\">{}</text>\n</svg>\n", kMarginPx + 4,
                              heightPx - kMarginPx - 4, markupText(caption));
}

}  // namespace overlane
