#include "core/report/gauge_svg.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/content/markup.h"
#include "core/lod/counter_text.h"
#include "core/lod/time_scale.h"
#include "core/trace/track_names.h"

namespace overlane
{
namespace
{

constexpr std::size_t kMostGauges = 8;
constexpr int kCurveInsetPx = 4;
constexpr int kLabelLinePx = 13;
constexpr std::size_t kLabelCharacters = 19;

// Samples of the range, with the one that holds at its start and the one that follows its end.
std::pair<std::size_t, std::size_t> samplesOf(const CounterSeries& series, Interval range)
{
    const auto& times = series.timesNs;
    auto first = std::lower_bound(times.begin(), times.end(), range.startNs);
    if (first != times.begin())
        --first;
    auto last = std::lower_bound(first, times.end(), range.endNs);
    if (last != times.end())
        ++last;
    return {static_cast<std::size_t>(first - times.begin()), static_cast<std::size_t>(last - times.begin())};
}

struct Extent {
    double lowest = 0;
    double highest = 0;
    bool known = false;

    void add(double value)
    {
        lowest = known ? std::min(lowest, value) : value;
        highest = known ? std::max(highest, value) : value;
        known = true;
    }
};

Extent extentOf(const CounterSeries& series, Interval range)
{
    Extent extent;
    const auto [first, last] = samplesOf(series, range);
    for (std::size_t i = first; i < last; ++i)
        if (std::isfinite(series.values[i]))
            extent.add(series.values[i]);
    return extent;
}

// A name in two lines, broken at a space, where one is too short.
std::pair<std::string, std::string> labelLines(const std::string& name)
{
    if (name.size() <= kLabelCharacters)
        return {name, {}};
    const std::size_t space = name.rfind(' ', kLabelCharacters);
    if (space == std::string::npos || space == 0)
        return {shortened(name, kLabelCharacters), {}};
    return {name.substr(0, space), shortened(name.substr(space + 1), kLabelCharacters)};
}

// A line through the lowest and highest value of each pixel.
std::string curve(const CounterSeries& series, Interval range, const Extent& scale, double top, double bottom,
                  int widthPx)
{
    const TimeScale time(range, widthPx);
    const double height = scale.highest - scale.lowest;
    const auto y = [&](double value) { return bottom - (value - scale.lowest) / height * (bottom - top); };
    std::string path;
    const auto [first, last] = samplesOf(series, range);
    for (std::size_t i = first; i < last;) {
        const double x = std::clamp(std::floor(time.toPx(series.timesNs[i])), 0.0, double(widthPx));
        Extent pixel;
        std::size_t next = i;
        for (; next < last && std::clamp(std::floor(time.toPx(series.timesNs[next])), 0.0, double(widthPx)) == x;
             ++next)
            if (std::isfinite(series.values[next]))
                pixel.add(series.values[next]);
        i = next;
        if (!pixel.known)
            continue;
        path += fmt::format("{}{} {}", path.empty() ? "M" : "L", pixels(kPictureLabelPx + x), pixels(y(pixel.highest)));
        if (pixel.highest > pixel.lowest)
            path += fmt::format("V{}", pixels(y(pixel.lowest)));
    }
    return fmt::format("<path class=\"median\" d=\"{}\"/>", path);
}

}  // namespace

PictureGauges pictureGauges(const Trace& trace, Interval range)
{
    PictureGauges gauges;
    for (const CounterSeries& series : trace.counters()) {
        const Extent extent = extentOf(series, range);
        if (extent.known && extent.highest > extent.lowest)
            gauges.shown.push_back(&series);
    }
    std::stable_sort(gauges.shown.begin(), gauges.shown.end(), [&](const CounterSeries* a, const CounterSeries* b) {
        return gaugeRank(trace.track(a->track).name) < gaugeRank(trace.track(b->track).name);
    });
    if (gauges.shown.size() > kMostGauges) {
        gauges.leftOut = gauges.shown.size() - kMostGauges;
        gauges.shown.resize(kMostGauges);
    }
    return gauges;
}

std::string gaugesSvg(const Trace& trace, const PictureGauges& gauges, Interval range, int topPx,
                      const PictureShape& shape)
{
    std::string text;
    int top = topPx;
    for (const CounterSeries* series : gauges.shown) {
        Extent extent = extentOf(*series, range);
        const std::string label = fmt::format("up to {}", counterText(series->unit, extent.highest));
        extent.add(0);  // where the scale begins
        text += fmt::format("<path class=\"border\" d=\"M0 {}.5H{}\"/>\n", top, shape.widthPx);
        const auto [first, second] = labelLines(trace.track(series->track).name);
        int baseline = top + (second.empty() ? 21 : 15);
        for (const std::string& line : {first, second}) {
            if (!line.empty())
                text += fmt::format("<text class=\"tick\" x=\"4\" y=\"{}\">{}</text>", baseline, markupText(line));
            baseline += kLabelLinePx;
        }
        text += "\n";
        text += curve(*series, range, extent, top + kCurveInsetPx, top + kGaugePx - kCurveInsetPx,
                      shape.widthPx - kPictureLabelPx) +
                "\n";
        text += fmt::format("<text class=\"in tp\" x=\"{}\" y=\"{}\">{}</text>\n", kPictureLabelPx + 4, top + 20,
                            markupText(label));
        top += kGaugePx;
    }
    return text;
}

}  // namespace overlane
