#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/calibration/fidelity_text.h"

namespace overlane
{
namespace
{

constexpr double kSizePx = 560, kLeftPx = 62, kBottomPx = 50, kTopPx = 14, kRightPx = 14;
constexpr double kPlotPx = kSizePx - kLeftPx - kRightPx;
constexpr double kHeightPx = kPlotPx + kTopPx + kBottomPx;
constexpr const char* kPinnedColor = "#0072b2";  // Okabe and Ito's colors for the color-blind
constexpr const char* kPageableColor = "#d55e00";

struct Axis {
    double lowMs, highMs;
    double share(double milliseconds) const { return std::log(milliseconds / lowMs) / std::log(highMs / lowMs); }
    double x(double milliseconds) const { return kLeftPx + kPlotPx * share(milliseconds); }
    double y(double milliseconds) const { return kTopPx + kPlotPx * (1 - share(milliseconds)); }
};

Axis axisOf(const std::vector<FidelityCase>& cases)
{
    double low = 1e300, high = 0;
    for (const FidelityCase& each : cases)
        for (const std::int64_t wallNs : {each.row.wallNs(), each.simulated.wallNs}) {
            low = std::min(low, static_cast<double>(wallNs) / 1e6);
            high = std::max(high, static_cast<double>(wallNs) / 1e6);
        }
    return {std::pow(10, std::floor(std::log10(low) * 2) / 2), std::pow(10, std::ceil(std::log10(high) * 2) / 2)};
}

std::string line(double x1, double y1, double x2, double y2, const char* style)
{
    return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1, y1, x2, y2, style);
}

std::string gridSvg(const Axis& axis)
{
    constexpr const char* kGrid = "stroke=\"#dddddd\"";
    std::string svg;
    for (double decade = std::floor(std::log10(axis.lowMs)); decade <= std::log10(axis.highMs); ++decade)
        for (const double factor : {1.0, 3.0}) {
            const double at = factor * std::pow(10, decade);
            if (at < axis.lowMs * 0.999 || at > axis.highMs * 1.001)
                continue;
            svg += line(axis.x(at), kTopPx, axis.x(at), kTopPx + kPlotPx, kGrid);
            svg += line(kLeftPx, axis.y(at), kLeftPx + kPlotPx, axis.y(at), kGrid);
            svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{:g}</text>\n", axis.x(at),
                               kTopPx + kPlotPx + 18, at);
            svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{:g}</text>\n", kLeftPx - 6,
                               axis.y(at) + 4, at);
        }
    return svg;
}

// The diagonal, and lines a tenth above and below it.
std::string boundsSvg(const Axis& axis)
{
    std::string svg =
        line(axis.x(axis.lowMs), axis.y(axis.lowMs), axis.x(axis.highMs), axis.y(axis.highMs), "stroke=\"#333333\"");
    constexpr const char* kBound = "stroke=\"#999999\" stroke-dasharray=\"4 3\"";
    svg += line(axis.x(axis.lowMs), axis.y(axis.lowMs * 1.1), axis.x(axis.highMs / 1.1), axis.y(axis.highMs), kBound);
    svg += line(axis.x(axis.lowMs * 1.1), axis.y(axis.lowMs), axis.x(axis.highMs), axis.y(axis.highMs / 1.1), kBound);
    return svg;
}

std::string pointSvg(double x, double y, bool pinned)
{
    if (pinned)
        return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.6\" fill=\"none\" stroke=\"{}\"/>\n", x, y,
                           kPinnedColor);
    return fmt::format("<path d=\"M{:.1f} {:.1f}l5 5m0 -5l-5 5\" stroke=\"{}\"/>\n", x - 2.5, y - 2.5, kPageableColor);
}

}  // namespace

std::string fidelityPlotSvg(const std::vector<FidelityCase>& cases)
{
    const Axis axis = axisOf(cases);
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
        "{1:.0f}\" font-family=\"sans-serif\" font-size=\"11\" fill=\"#333333\">\n"
        "<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"#ffffff\"/>\n",
        kSizePx, kHeightPx);
    svg += gridSvg(axis) + boundsSvg(axis);
    for (const FidelityCase& each : cases)
        svg += pointSvg(axis.x(static_cast<double>(each.row.wallNs()) / 1e6),
                        axis.y(static_cast<double>(each.simulated.wallNs) / 1e6), each.row.pinned());
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">measured wall, ms</text>\n",
                       kLeftPx + kPlotPx / 2, kHeightPx - 12);
    svg += fmt::format(
        "<text transform=\"translate(16 {:.1f}) rotate(-90)\" text-anchor=\"middle\">simulated wall, "
        "ms</text>\n",
        kTopPx + kPlotPx / 2);
    svg += pointSvg(kLeftPx + 16, kTopPx + 16, true) +
           fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">pinned</text>\n", kLeftPx + 26, kTopPx + 20);
    svg +=
        pointSvg(kLeftPx + 16, kTopPx + 32, false) +
        fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">pageable; dashed: 10 % off</text>\n", kLeftPx + 26, kTopPx + 36);
    return svg + "</svg>\n";
}

}  // namespace overlane
