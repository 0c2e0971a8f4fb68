#include "core/report/plots.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <span>

#include "core/base/units.h"
#include "core/compare/sample.h"
#include "core/content/markup.h"
#include "core/report/timeline_svg.h"

namespace overlane
{
namespace
{

constexpr int kPlotLeftPx = 68;
constexpr int kPlotEndPx = 6;  // letters of a printed page are wider
constexpr int kPlotTopPx = 10;
constexpr int kPlotBottomPx = 170;
constexpr int kPlotHeightPx = 196;
constexpr std::size_t kMostPoints = 400;
constexpr double kCharacterPx = 6.2;

// The smallest of 1, 2 or 5 times a power of ten that is at least `value`.
double niceStep(double value)
{
    const double power = std::pow(10, std::floor(std::log10(std::max(value, 1.0))));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= value)
            return factor * power;
    return 10 * power;
}

// Maps times to heights, from 0 up to what the steps need. One step far out must not flatten the rest:
// the axis ends at 3 times the usual, and what lies above is drawn at the top.
struct Axis {
    double topNs = 1;
    double y(double ns) const { return kPlotBottomPx - std::min(ns, topNs) / topNs * (kPlotBottomPx - kPlotTopPx); }
};

std::string axisSvg(const Axis& axis)
{
    std::string text;
    const double step = niceStep(axis.topNs / 4);
    for (double ns = 0; ns <= axis.topNs * 1.0001; ns += step)
        text += fmt::format(
            "<path class=\"grid\" d=\"M{0} {1}H{2}\"/><text class=\"axis\" x=\"{3}\" y=\"{4}\" "
            "text-anchor=\"end\">{5}</text>\n",
            kPlotLeftPx, pixels(axis.y(ns)), kPictureWidthPx, kPlotLeftPx - 8, pixels(axis.y(ns) + 4),
            ns == 0 ? "0" : formatDuration(static_cast<std::int64_t>(ns)));
    return text;
}

std::string columnsSvg(std::span<const StepPoint> points, const Axis& axis, double pxPerStep)
{
    std::string path;
    std::string marks;
    const std::size_t perColumn = points.size() / kMostPoints + 1;
    for (std::size_t begin = 0; begin < points.size(); begin += perColumn) {
        const auto column = points.subspan(begin, std::min(perColumn, points.size() - begin));
        const auto [least, most] =
            std::minmax_element(column.begin(), column.end(),
                                [](const StepPoint& a, const StepPoint& b) { return a.durationNs < b.durationNs; });
        const double x =
            kPlotLeftPx + (static_cast<double>(begin) + static_cast<double>(column.size()) / 2) * pxPerStep;
        path += fmt::format("M{} {}V{}", pixels(x), pixels(axis.y(double(least->durationNs)) + 0.7),
                            pixels(axis.y(double(most->durationNs)) - 0.7));
        if (most->outlier)
            marks += fmt::format(
                "<circle class=\"outlier\" cx=\"{}\" cy=\"{}\" r=\"3\"><title>step {}: {}, an outlier"
                "</title></circle>\n",
                pixels(x), pixels(axis.y(double(most->durationNs))), most->number, formatDuration(most->durationNs));
    }
    return fmt::format("<path class=\"range\" style=\"stroke-width:{}\" d=\"{}\"/>\n",
                       pixels(std::max(1.0, pxPerStep * static_cast<double>(perColumn) * 0.8)), path) +
           marks;
}

std::string pointsSvg(std::span<const StepPoint> points, const Axis& axis, double pxPerStep)
{
    std::string text;
    const double radius = std::clamp(pxPerStep / 3, 2.0, 4.5);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const StepPoint& point = points[i];
        const double x = kPlotLeftPx + (static_cast<double>(i) + 0.5) * pxPerStep;
        text += fmt::format("<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"><title>step {}: {}{}</title></circle>\n",
                            point.outlier  ? "outlier"
                            : point.warmUp ? "warmup"
                                           : "point",
                            pixels(x), pixels(axis.y(double(point.durationNs))), pixels(radius), point.number,
                            formatDuration(point.durationNs),
                            point.warmUp    ? ", warm-up"
                            : point.outlier ? ", an outlier"
                                            : "");
    }
    return text;
}

}  // namespace

std::string stepsPlotSvg(const std::vector<StepPoint>& points, std::string_view description)
{
    if (points.empty())
        return {};
    std::vector<double> settled;
    double mostNs = 1;
    for (const StepPoint& point : points) {
        mostNs = std::max(mostNs, double(point.durationNs));
        if (!point.warmUp)
            settled.push_back(double(point.durationNs));
    }
    const Distribution usual = distribution(settled);
    Axis axis{mostNs * 1.05};
    if (usual.count > 0)
        axis.topNs = std::min(axis.topNs, std::max(usual.upperQuartile * 3, usual.median * 1.5));
    const double pxPerStep = double(kPictureWidthPx - kPlotLeftPx) / double(points.size());

    std::string text = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n", kPictureWidthPx,
                                   kPlotHeightPx, markupText(description));
    text += axisSvg(axis);
    if (usual.count > 0)
        text += fmt::format(
            "<rect class=\"band\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/><path class=\"median\" "
            "d=\"M{} {}H{}\"/>\n",
            kPlotLeftPx, pixels(axis.y(usual.upperQuartile)), kPictureWidthPx - kPlotLeftPx,
            pixels(std::max(1.0, axis.y(usual.lowerQuartile) - axis.y(usual.upperQuartile))), kPlotLeftPx,
            pixels(axis.y(usual.median)), kPictureWidthPx);
    text += points.size() > kMostPoints ? columnsSvg(points, axis, pxPerStep) : pointsSvg(points, axis, pxPerStep);
    text += fmt::format(
        "<text class=\"axis\" x=\"{}\" y=\"{}\">step {}</text><text class=\"axis\" x=\"{}\" y=\"{}\" "
        "text-anchor=\"end\">step {}</text>\n",
        kPlotLeftPx, kPlotHeightPx - 6, points.front().number, kPictureWidthPx - kPlotEndPx, kPlotHeightPx - 6,
        points.back().number);
    return text + "</svg>\n";
}

std::string stackedBarSvg(const std::vector<TimePart>& parts, std::int64_t wholeNs, std::string_view description)
{
    constexpr int kBarHeightPx = 30;
    std::string text = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n", kPictureWidthPx,
                                   kBarHeightPx, markupText(description));
    const double pxPerNs = wholeNs > 0 ? double(kPictureWidthPx) / double(wholeNs) : 0;
    double left = 0;
    for (const TimePart& part : parts) {
        const double width = double(part.timeNs) * pxPerNs;
        const std::string label = markupText(part.name());
        const int color = static_cast<int>(part.drawnAs());
        text += fmt::format("<g><title>{}: {}</title><rect class=\"k{}\" x=\"{}\" y=\"0\" width=\"{}\" height=\"{}\"/>",
                            label, formatDuration(part.timeNs), color, pixels(left),
                            pixels(std::max(0.0, width - (width > 3 ? 1 : 0))), kBarHeightPx);
        if (width > double(part.name().size()) * kCharacterPx + 10)
            text += fmt::format("<text class=\"in t{}\" x=\"{}\" y=\"19\">{}</text>", color, pixels(left + 6), label);
        text += "</g>\n";
        left += width;
    }
    return text + "</svg>\n";
}

}  // namespace overlane
