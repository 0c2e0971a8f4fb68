#include "core/cli/picture_answer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "core/base/number_text.h"
#include "core/base/units.h"
#include "core/report/html_report.h"
#include "core/report/picture_lanes.h"
#include "core/report/timeline_picture.h"

namespace overlane
{
namespace
{

struct PictureSize {
    int widthPx = 0;
    int heightPx = 0;  // 0: as the lanes need
};

std::optional<PictureSize> parsedSize(std::string_view text)
{
    PictureSize size;
    const char* end = text.data() + text.size();
    auto parsed = std::from_chars(text.data(), end, size.widthPx);
    if (parsed.ec == std::errc{} && parsed.ptr != end && *parsed.ptr == 'x') {
        parsed = std::from_chars(parsed.ptr + 1, end, size.heightPx);
        if (size.heightPx < 1)
            return {};
    }
    if (parsed.ec != std::errc{} || parsed.ptr != end || size.widthPx < kLeastPictureWidthPx ||
        size.widthPx > kMostPicturePx || size.heightPx > kMostPicturePx)
        return {};
    return size;
}

std::string captionOf(const JudgedTrace& judged, Interval range, bool typical)
{
    return fmt::format("{}, {} of the trace from {} on{}.", judged.name, formatDuration(range.lengthNs()),
                       formatDuration(range.startNs),
                       typical ? ", the three steps whose times are nearest to the median" : "");
}

}  // namespace

const std::vector<std::string>& pictureThemes()
{
    static const std::vector<std::string> kThemes{"light", "dark"};
    return kThemes;
}

std::optional<std::int64_t> parsedTraceTime(std::string_view text)
{
    const std::optional<double> number = takeReal(text);
    if (!number || *number < 0)
        return {};
    constexpr std::array<std::pair<std::string_view, double>, 5> kUnits{
        {{"ns", 1}, {"us", 1e3}, {"\u00b5s", 1e3}, {"ms", 1e6}, {"s", 1e9}}};
    for (const auto& [name, ns] : kUnits)
        if (text == name && *number * ns < 9e18)
            return std::llround(*number * ns);
    return {};
}

std::string checkPictureSize(const std::string& text)
{
    return parsedSize(text) ? std::string()
                            : fmt::format("write a width of {} to {} pixels, or width and height as 1600x600, not {}",
                                          kLeastPictureWidthPx, kMostPicturePx, text);
}

std::string checkPicture(const PictureQuestion& question)
{
    const bool ranged = question.ranged || !question.from.empty() || !question.to.empty();
    if (int{ranged} + int{!question.steps.empty()} + int{question.whole} > 1)
        return "Take one of steps, from and to, or the whole trace.";
    for (const std::string& time : {question.from, question.to})
        if (!time.empty() && !parsedTraceTime(time))
            return fmt::format("{} is no time of a trace; write it as 12.5ms, 3s or 250us.", time);
    if (!question.size.empty())
        if (const std::string wrong = checkPictureSize(question.size); !wrong.empty())
            return "The size is wrong: " + wrong + ".";
    const std::vector<std::string>& themes = pictureThemes();
    if (std::find(themes.begin(), themes.end(), question.theme) == themes.end())
        return fmt::format("There is no theme {}; take {} or {}.", question.theme, themes[0], themes[1]);
    return {};
}

Result<std::optional<Interval>> chosenRange(const Trace& trace, const PictureQuestion& question)
{
    if (question.from.empty() && question.to.empty())
        return std::optional<Interval>();
    const Interval span = trace.span();
    Interval range = span;
    if (!question.from.empty())
        range.startNs = std::max(range.startNs, parsedTraceTime(question.from).value_or(0));
    if (!question.to.empty())
        range.endNs = std::min(range.endNs, parsedTraceTime(question.to).value_or(0));
    if (range.endNs <= range.startNs)
        return Error{fmt::format("Nothing lies from {} to {}: the trace goes from {} to {}.",
                                 question.from.empty() ? "the start" : question.from,
                                 question.to.empty() ? "the end" : question.to, formatDuration(span.startNs),
                                 formatDuration(span.endNs))};
    return std::optional(range);
}

Result<std::string> pictureAnswer(const JudgedTrace& judged, const PictureQuestion& question, const WorkMeter& work)
{
    if (pictureLanes(judged.trace, judged.analysis).lanes.empty())
        return Error{"There is no lane to draw: neither GPU work nor a thread that launches it was recorded."};
    const bool chosen = question.ranged || !question.steps.empty() || !question.from.empty() || !question.to.empty();
    PictureRequest request;
    request.range = judged.judgement.range;
    if (question.whole)
        request.range = judged.trace.span();
    else if (!chosen)
        request.range = typicalRange(judged.steps, judged.judgement.range);
    const bool typical = !question.whole && !chosen && !(request.range == judged.judgement.range);
    if (request.range.empty())
        request.range = judged.trace.span();
    request.dark = question.theme == pictureThemes()[1];
    request.title = judged.judgement.headline();
    request.caption = captionOf(judged, request.range, typical);
    request.legend = true;
    request.gauges = question.gauges;
    if (const auto size = parsedSize(question.size)) {
        request.widthPx = size->widthPx;
        request.heightPx = size->heightPx;
    }
    const Pyramid pyramid(judged.trace);
    work.look();
    return timelinePicture(pyramid, judged.analysis, judged.steps.steps, request);
}

}  // namespace overlane
