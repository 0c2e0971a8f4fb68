#include <fmt/format.h>

#include "core/analysis/steps.h"
#include "core/base/units.h"
#include "core/compare/device_steps.h"
#include "core/content/html.h"
#include "core/content/markup.h"
#include "core/judgement/time_parts.h"
#include "core/lod/lane_spans.h"
#include "core/report/bar_paths.h"
#include "core/report/plots.h"
#include "core/report/report_sections.h"
#include "core/report/timeline_legend.h"
#include "core/report/timeline_svg.h"

namespace overlane
{
namespace
{

std::string swatch(const std::string& cssClass)
{
    return fmt::format(
        "<svg class=\"swatch\" viewBox=\"0 0 22 12\" aria-hidden=\"true\" style=\"width:22px;height:12px\">"
        "<rect class=\"{}\" x=\".5\" y=\".5\" width=\"21\" height=\"11\"/></svg>",
        cssClass);
}

// The longest step, where the mean is so far above the median that long steps carry the cost.
const Step* costlyStep(const StepSequence& sequence)
{
    constexpr double kUnevenFrom = 1.2;
    const auto mean = static_cast<double>(meanStepNs(sequence.steps));
    if (mean < kUnevenFrom * static_cast<double>(sequence.statistics.medianNs))
        return nullptr;
    const Step* longest = nullptr;
    for (const Step& step : sequence.steps)
        if (!step.warmUp && (!longest || step.timeNs > longest->timeNs))
            longest = &step;
    return longest;
}

std::string deviceBar(const Judgement& judgement, const DeviceSummary& device)
{
    const std::vector<TimePart> parts = timeParts(judgement, device);
    if (parts.empty())
        return {};
    std::vector<std::string> marks;
    marks.reserve(parts.size());
    for (const TimePart& part : parts)
        marks.push_back(swatch(barClass(part.drawnAs(), 0, kFullLevel)));
    const std::string name = fmt::format("GPU {}", device.id);
    return (judgement.summary.devices.size() > 1 ? fmt::format("<h3>{} {}</h3>\n", name, markupText(device.name))
                                                 : "") +
           fmt::format("<div class=\"picture\">{}</div>\n",
                       stackedBarSvg(parts, device.wallNs, name + ": its time by cause")) +
           htmlText(timeTable(judgement, device), marks);
}

}  // namespace

std::string timelineLegend(const std::vector<const Trace*>& traces)
{
    std::string text = "<div class=\"legend\">";
    for (const PictureLegendEntry& entry : legendEntries(traces))
        text += fmt::format("<span>{}{}</span>", swatch(entry.cssClass), entry.label);
    return text + "</div>\n";
}

std::string timelineSection(const ReportInput& input, const Pyramid& pyramid)
{
    const PictureLanes picture = pictureLanes(*input.trace, *input.analysis);
    if (picture.lanes.empty() || input.judgement->range.empty())
        return {};
    const Interval shown = typicalRange(*input.steps, input.judgement->range);
    const bool part = !(shown == input.judgement->range);
    std::string text =
        fmt::format("<p class=\"note\">{} From {} to {} of the trace.{}</p>\n",
                    part ? "The three steps in a row whose times are nearest to the median." : "All that is judged.",
                    formatDuration(shown.startNs), formatDuration(shown.endNs), leftOutText(picture));
    text += "<div class=\"picture scroll\">\n";
    if (part)
        text += overviewSvg(pyramid, picture.lanes, input.analysis->span(), shown,
                            "The devices over the whole trace, with the part below framed");
    text += timelineSvg(pyramid, picture.lanes, input.steps->steps, shown,
                        "Timeline: loader, host threads, copies and kernels");
    text += "</div>\n";
    const Step* longest = part ? costlyStep(*input.steps) : nullptr;
    if (longest) {
        const Interval range{longest->interval.startNs, longest->interval.startNs + longest->timeNs};
        text += fmt::format(
            "<h3>The longest step</h3>\n<p class=\"note\">A few long steps carry much of the time. From {} to "
            "{} of the trace.</p>\n<div class=\"picture scroll\">\n",
            formatDuration(range.startNs), formatDuration(range.endNs));
        text +=
            timelineSvg(pyramid, picture.lanes, input.steps->steps, range, "Timeline of the longest step") + "</div>\n";
    }
    text += timelineLegend({input.trace});
    return htmlSection("timeline", part ? "A typical stretch" : "Timeline", text);
}

std::string timeSection(const ReportInput& input)
{
    std::string text;
    for (const DeviceSummary& device : input.judgement->summary.devices)
        text += deviceBar(*input.judgement, device);
    if (text.empty())
        return {};
    return htmlSection(
        "time", "Where the GPU's time goes",
        "<p class=\"note\">Every moment without a kernel has one cause; the parts add up to the whole.</p>\n" + text);
}

std::string stepsSection(const StepSequence& sequence)
{
    if (sequence.steps.size() < 2)
        return {};
    const StepStatistics& statistics = sequence.statistics;
    std::vector<StepPoint> points;
    points.reserve(sequence.steps.size());
    for (const Step& step : sequence.steps)
        points.push_back({step.number, step.timeNs, step.warmUp, step.outlier});
    std::string text = fmt::format(
        "<p class=\"note\">From {}{}. Median {}, middle half {} to {}, {} to {} in all.",
        stepOriginName(sequence.origin),
        sequence.origin == StepOrigin::Pattern
            ? fmt::format(" ({} of the device's work repeats)", formatShare(sequence.confidence))
            : "",
        formatDuration(statistics.medianNs), formatDuration(statistics.lowerQuartileNs),
        formatDuration(statistics.upperQuartileNs), formatDuration(statistics.minNs), formatDuration(statistics.maxNs));
    if (statistics.warmUps > 0)
        text += fmt::format(" {} warm-up {}, drawn hollow.", formatCount(statistics.warmUps),
                            statistics.warmUps == 1 ? "step" : "steps");
    if (statistics.outliers > 0)
        text += fmt::format(" {} {}, drawn red.", formatCount(statistics.outliers),
                            statistics.outliers == 1 ? "outlier" : "outliers");
    if (statistics.maxNs > 3 * statistics.upperQuartileNs)
        text += " Marks at the upper edge lie above the axis.";
    text += "</p>\n<div class=\"picture\">" +
            stepsPlotSvg(points, fmt::format("Times of {} steps with their median", points.size())) + "</div>\n";
    return htmlSection("steps", fmt::format("Steps: {}", formatCount(static_cast<std::int64_t>(points.size()))), text);
}

}  // namespace overlane
