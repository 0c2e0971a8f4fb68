#include "core/report/timeline_svg.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/analysis/pageable_memory.h"
#include "core/base/units.h"
#include "core/content/markup.h"
#include "core/lod/lane_spans.h"
#include "core/lod/ruler_ticks.h"
#include "core/lod/theme_colors.h"
#include "core/lod/time_scale.h"
#include "core/report/bar_paths.h"

namespace overlane
{
namespace
{

constexpr int kPlotPx = kPictureWidthPx - kPictureLabelPx;  // of the strip of the whole trace
constexpr int kBarInsetPx = 3;
constexpr int kRulerPx = 22;
constexpr int kStepRowPx = 20;
constexpr double kTickSpacingPx = 120;
constexpr double kBarCharacterPx = 6.9;    // of the 11 px text in bars
constexpr int kTextBelowMiddlePx = 4;      // its baseline
constexpr double kLabelCharacterPx = 7.2;  // of the 12 px text of lanes
constexpr double kTextFromPx = 46;
constexpr double kTitledFromPx = 7;
constexpr std::size_t kMostTitled = 500;  // in one drawing
constexpr std::size_t kTitleCharacters = 110;
constexpr int kOverviewLanePx = 9;

std::string titleOf(const Trace& trace, EventIndex event)
{
    std::string title = markupText(shortened(trace.name(event), kTitleCharacters)) + ", " +
                        formatDuration(trace.interval(event).lengthNs());
    if (const CopyInfo* copy = trace.copy(event)) {
        title += fmt::format(", {} memory", memoryKindName(copy->hostSide(trace.kind(event))));
        if (copy->bytes > 0)
            title += fmt::format(", {} at {}", formatBytes(copy->bytes),
                                 formatRate(copy->bytes, trace.interval(event).lengthNs()));
    }
    return title;
}

// What of a name a bar of this width shows; empty where too little stays.
std::string fittedText(const Trace& trace, EventIndex event, double widthPx)
{
    if (widthPx < kTextFromPx)
        return {};
    const auto fits = static_cast<std::size_t>((widthPx - 8) / kBarCharacterPx);
    std::string text = shortened(trace.name(event), fits);
    if (const CopyInfo* copy = trace.copy(event); copy != nullptr && copy->bytes > 0)
        if (const std::string size = formatBytes(copy->bytes); size.size() <= fits)
            text = size;
    return markupText(text);
}

int plotPx(const PictureShape& shape)
{
    return shape.widthPx - kPictureLabelPx;
}

class Drawing
{
public:
    Drawing(const Pyramid& pyramid, Interval range, const PictureShape& shape)
        : m_pyramid(pyramid), m_shape(shape), m_scale(range, plotPx(shape))
    {
    }

    void lane(const PictureLane& lane, int topPx)
    {
        const double top = topPx + kBarInsetPx;
        const double bottom = topPx + m_shape.lanePx - kBarInsetPx;
        for (const LaneSpan& span : mergedLaneSpans(m_pyramid, lane.rows, m_scale.range(), plotPx(m_shape))) {
            const double left = kPictureLabelPx + span.startPx;
            // Of two wide bars that touch, the left one gives way a little.
            const double right = kPictureLabelPx + span.endPx - (span.endPx - span.startPx > 4 ? 0.5 : 0);
            const std::string look = barClass(span.kind, span.memory, span.level);
            const bool own = span.count == 1 && right - left >= kTitledFromPx && m_titled < kMostTitled;
            if (!own) {
                m_bars.add(look, left, right, top, bottom);
                continue;
            }
            ++m_titled;
            m_own += fmt::format(R"(<g><title>{}</title><rect class="{}" x="{}" y="{}" width="{}" height="{}"/>)",
                                 titleOf(m_pyramid.trace(), span.event), look, pixels(left), pixels(top),
                                 pixels(right - left), pixels(bottom - top));
            staged(span, left, right, top, bottom);
            text(span, left, right, (top + bottom) / 2 + kTextBelowMiddlePx);
            m_own += "</g>\n";
        }
    }

    std::string svg() const { return m_bars.svg() + m_own; }

private:
    void staged(const LaneSpan& span, double left, double right, double top, double bottom)
    {
        const Interval part = stagedPart(m_pyramid.trace(), span.event);
        if (part.empty())
            return;
        const double from = std::clamp(kPictureLabelPx + m_scale.toPx(part.startNs), left, right);
        const double to = std::clamp(kPictureLabelPx + m_scale.toPx(part.endNs), left, right);
        if (to > from)
            m_own +=
                fmt::format(R"(<rect class="s{}" x="{}" y="{}" width="{}" height="{}"/>)", static_cast<int>(span.kind),
                            pixels(from), pixels(top), pixels(to - from), pixels(bottom - top));
    }
    void text(const LaneSpan& span, double left, double right, double baseline)
    {
        const std::string shown = fittedText(m_pyramid.trace(), span.event, right - left);
        if (shown.empty())
            return;
        const bool patterned = span.memory & (kPageableMemory | kManagedMemory | kUnknownMemory);
        m_own += fmt::format(R"(<text class="in {}{}" x="{}" y="{}">{}</text>)", patterned ? "tp" : "t",
                             patterned ? std::string() : std::to_string(static_cast<int>(span.kind)), pixels(left + 4),
                             pixels(baseline), shown);
    }

    const Pyramid& m_pyramid;
    PictureShape m_shape;
    TimeScale m_scale;
    BarPaths m_bars;
    std::string m_own;
    std::size_t m_titled = 0;
};

double tickWidthPx(const std::string& label)
{
    constexpr double kTickCharacterPx = 6.6;  // of the 11 px text
    const auto begins = [](char byte) { return (byte & 0xC0) != 0x80; };
    return kTickCharacterPx * static_cast<double>(std::count_if(label.begin(), label.end(), begins));
}

std::string rulerSvg(Interval range, int topPx, int bottomPx, int widthPx)
{
    const TimeScale scale(range, widthPx - kPictureLabelPx);
    const Ruler ruler = rulerTicks(range, widthPx - kPictureLabelPx, kTickSpacingPx);
    std::string text;
    if (!ruler.baseLabel.empty())
        text +=
            fmt::format("<text class=\"tick\" x=\"4\" y=\"{}\">{}</text>\n", topPx + 15, markupText(ruler.baseLabel));
    for (const RulerTick& tick : ruler.ticks) {
        if (!tick.major)
            continue;
        const double x = kPictureLabelPx + scale.toPx(tick.timeNs);
        text += fmt::format("<path class=\"grid\" d=\"M{} {}V{}\"/>", pixels(x), topPx + 4, bottomPx);
        if (x + 3 + tickWidthPx(tick.label) <= widthPx)
            text += fmt::format("<text class=\"tick\" x=\"{}\" y=\"{}\">{}</text>", pixels(x + 3), topPx + 15,
                                markupText(tick.label));
        text += "\n";
    }
    return text;
}

std::string stepsSvg(const std::vector<Step>& steps, Interval range, int topPx, int bottomPx, int widthPx)
{
    const TimeScale scale(range, widthPx - kPictureLabelPx);
    std::string text;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        // Steps of a loader overlap: what counts is from one start to the next.
        const std::int64_t startNs = steps[i].interval.startNs;
        const std::int64_t endNs = i + 1 < steps.size() ? steps[i + 1].interval.startNs : steps[i].interval.endNs;
        if (!range.overlaps({startNs, endNs}))
            continue;
        const double left = std::max<double>(kPictureLabelPx, kPictureLabelPx + scale.toPx(startNs));
        const double right = std::min<double>(widthPx, kPictureLabelPx + scale.toPx(endNs));
        if (right - left < 3)
            continue;
        text += fmt::format("<path class=\"border\" d=\"M{} {}V{}\"/>", pixels(left), topPx, bottomPx);
        text += fmt::format("<rect class=\"k{} step\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                            static_cast<int>(EventKind::Step), pixels(left), topPx + 2, pixels(right - left - 0.5),
                            kStepRowPx - 5);
        const std::string label = fmt::format("step {}, {}", steps[i].number, formatDuration(endNs - startNs));
        if (right - left > static_cast<double>(label.size()) * kBarCharacterPx + 8)
            text += fmt::format("<text class=\"in t{}\" x=\"{}\" y=\"{}\">{}</text>", static_cast<int>(EventKind::Step),
                                pixels(left + 4), topPx + 13, label);
        text += "\n";
    }
    return text;
}

// Below the ruler, and the steps where there are any.
int lanesTopPx(const std::vector<Step>& steps, Interval range)
{
    const bool stepRow =
        std::any_of(steps.begin(), steps.end(), [&](const Step& step) { return step.interval.overlaps(range); });
    return kRulerPx + (stepRow ? kStepRowPx : 0);
}

std::string opening(int widthPx, int heightPx, std::string_view description)
{
    return fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\" class=\"lanes\">\n", widthPx,
                       heightPx, markupText(description));
}

}  // namespace

std::string patternDefinitions()
{
    std::string text = "<svg width=\"0\" height=\"0\" class=\"defs\" aria-hidden=\"true\"><defs>\n";
    const auto hatch = [](int period, int ink) {
        return fmt::format("M0 0H{1}L0 {1}ZM{0} 0V{1}L{1} {0}H0Z", period, ink);
    };
    for (const EventKind kind : {EventKind::CopyH2D, EventKind::CopyD2H, EventKind::CopyD2D, EventKind::CopyOther}) {
        const int number = static_cast<int>(kind);
        const auto add = [&](std::string_view id, int period, const std::string& path) {
            text += fmt::format(
                "<pattern id=\"{0}{1}\" width=\"{2}\" height=\"{2}\" patternUnits=\"userSpaceOnUse\">"
                "<path class=\"g{1}\" d=\"M0 0H{2}V{2}H0Z\"/><path class=\"k{1}\" d=\"{3}\"/></pattern>\n",
                id, number, period, path);
        };
        add("hatch", kHatchPeriodPx, hatch(kHatchPeriodPx, kHatchInkPx));
        add("dense", kDenseHatchPeriodPx, hatch(kDenseHatchPeriodPx, kDenseHatchInkPx));
        add("dots", kDotPeriodPx, fmt::format("M0 0H{0}V{0}H0Z", kDotInkPx));
    }
    return text + "</defs></svg>\n";
}

int timelineHeightPx(const std::vector<PictureLane>& lanes, const std::vector<Step>& steps, Interval range,
                     const PictureShape& shape)
{
    return lanesTopPx(steps, range) + static_cast<int>(lanes.size()) * shape.lanePx + 1;
}

std::string timelineSvg(const Pyramid& pyramid, const std::vector<PictureLane>& lanes, const std::vector<Step>& steps,
                        Interval range, std::string_view description, const PictureShape& shape)
{
    const int lanesTop = lanesTopPx(steps, range);
    const bool stepRow = lanesTop > kRulerPx;
    const int height = timelineHeightPx(lanes, steps, range, shape);
    std::string text = opening(shape.widthPx, height, description);
    text += fmt::format("<rect class=\"ground\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", kPictureLabelPx,
                        lanesTop, plotPx(shape), height - lanesTop);
    for (std::size_t i = 1; i < lanes.size(); i += 2)
        text += fmt::format("<rect class=\"stripe\" x=\"0\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n",
                            lanesTop + static_cast<int>(i) * shape.lanePx, shape.widthPx, shape.lanePx);
    text += rulerSvg(range, 0, height, shape.widthPx);
    if (stepRow) {
        text += fmt::format("<text class=\"lane\" x=\"4\" y=\"{}\">steps</text>\n", kRulerPx + 14);
        text += stepsSvg(steps, range, kRulerPx, height, shape.widthPx);
    }
    Drawing drawing(pyramid, range, shape);
    int top = lanesTop;
    for (const PictureLane& lane : lanes) {
        if (lane.firstOfGroup)
            text += fmt::format("<path class=\"border\" d=\"M0 {}.5H{}\"/>\n", top, shape.widthPx);
        const auto fits = static_cast<std::size_t>((kPictureLabelPx - 8) / kLabelCharacterPx);
        text += fmt::format("<text class=\"lane\" x=\"4\" y=\"{}\">{}</text>\n",
                            top + shape.lanePx / 2 + kTextBelowMiddlePx, markupText(shortened(lane.label, fits)));
        drawing.lane(lane, top);
        top += shape.lanePx;
    }
    return text + drawing.svg() + "</svg>\n";
}

std::string overviewSvg(const Pyramid& pyramid, const std::vector<PictureLane>& lanes, Interval whole, Interval shown,
                        std::string_view description)
{
    BarPaths bars;
    int top = 2;
    for (const PictureLane& lane : lanes) {
        if (!lane.onDevice)
            continue;
        for (const LaneSpan& span : mergedLaneSpans(pyramid, lane.rows, whole, kPlotPx))
            bars.add(barClass(span.kind, span.memory, span.level), kPictureLabelPx + span.startPx,
                     kPictureLabelPx + span.endPx, top + 1, top + kOverviewLanePx - 1);
        top += kOverviewLanePx;
    }
    const int height = top + 3;
    const TimeScale scale(whole, kPlotPx);
    const double left = kPictureLabelPx + std::clamp(scale.toPx(shown.startNs), 0.0, double(kPlotPx));
    const double right = kPictureLabelPx + std::clamp(scale.toPx(shown.endNs), 0.0, double(kPlotPx));
    return opening(kPictureWidthPx, height, description) +
           fmt::format(
               "<text class=\"lane\" x=\"4\" y=\"{}\">whole trace</text>\n<rect class=\"ground\" x=\"{}\" y=\"1\" "
               "width=\"{}\" height=\"{}\"/>\n",
               height / 2 + 4, kPictureLabelPx, kPlotPx, height - 2) +
           bars.svg() +
           fmt::format("<rect class=\"frame\" x=\"{}\" y=\"1\" width=\"{}\" height=\"{}\"/>\n</svg>\n",
                       pixels(left - 1), pixels(std::max(4.0, right - left + 2)), height - 2);
}

}  // namespace overlane
