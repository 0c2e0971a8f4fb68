#include "core/lod/lane_spans.h"

#include <algorithm>
#include <cmath>

#include "core/lod/group_search.h"
#include "core/lod/time_scale.h"

namespace overlane
{

namespace
{

std::uint8_t levelOf(double coverage)
{
    return static_cast<std::uint8_t>(std::clamp(std::ceil(coverage * kFullLevel - 1e-9), 1.0, double(kFullLevel)));
}

// Whether the span shows where one of a row above does, in a pixel of both. What somebody does is more than what
// others wait for.
bool covers(const LaneSpan& span, const LaneSpan& shown)
{
    const bool waits = span.kind == EventKind::LoaderWait;
    if (waits != (shown.kind == EventKind::LoaderWait))
        return !waits;
    return 2 * span.level >= kFullLevel || span.level > shown.level;
}

}  // namespace

EventRange visibleEvents(const Trace& trace, EventRange row, Interval range)
{
    if (range.empty() || row.empty())
        return {row.first, row.first};
    const auto& starts = trace.columns().startNs;
    const auto& durations = trace.columns().durationNs;
    std::uint32_t first = row.first;
    std::uint32_t last = row.last;
    for (std::uint32_t size = last - first; size > 0;) {
        const std::uint32_t half = size / 2;
        const std::uint32_t i = first + half;
        if (starts[i] + durations[i] <= range.startNs && starts[i] < range.startNs) {
            first = i + 1;
            size -= half + 1;
        } else {
            size = half;
        }
    }
    last = static_cast<std::uint32_t>(std::lower_bound(starts.begin() + first, starts.begin() + row.last, range.endNs) -
                                      starts.begin());
    return {first, last};
}

std::vector<LaneSpan> laneSpans(const Pyramid& pyramid, EventRange row, Interval range, int widthPx)
{
    std::vector<LaneSpan> spans;
    if (widthPx <= 0 || range.empty())
        return spans;
    const Trace& trace = pyramid.trace();
    const auto& starts = trace.columns().startNs;
    const auto& durations = trace.columns().durationNs;
    const auto& kinds = trace.columns().kind;
    const EventRange visible = visibleEvents(trace, row, range);
    const TimeScale scale(range, widthPx);
    const double columnNs = static_cast<double>(range.lengthNs()) / widthPx;
    const auto ownNs = static_cast<std::int64_t>(std::ceil(kOwnSpanPx * columnNs));
    const std::int64_t slackNs = range.lengthNs() / widthPx / kBorderSlack;
    const float width = static_cast<float>(widthPx);
    std::int64_t longestNs = 0;  // of the last span

    for (std::uint32_t i = visible.first; i < visible.last;) {
        float startPx = std::max(0.0f, static_cast<float>(scale.toPx(pyramid.startNs(i))));
        if (!pyramid.isShorter(i, ownNs)) {
            if (!spans.empty())
                startPx = std::max(startPx, spans.back().endPx);
            const float endPx = std::min(width, static_cast<float>(scale.toPx(starts[i] + durations[i])));
            if (endPx > startPx)
                spans.push_back({startPx, endPx, EventIndex(i), 1, kFullLevel, kinds[i], 0, pyramid.memory(i)});
            longestNs = durations[i];
            ++i;
            continue;
        }
        const int column = std::min(static_cast<int>(startPx), widthPx - 1);
        const std::int64_t borderNs = scale.columnStartNs(column + 1, widthPx);
        std::uint32_t last = pyramid.firstFrom(i + 1, visible.last, borderNs, slackNs);
        // The next column most likely ends as far behind this one's end.
        pyramid.hintCache(std::min(visible.last, last + (last - i)));
        Pyramid::Summary summary = pyramid.summary({i, last});
        if (summary.longestNs >= ownNs)  // the last of them: nothing starts in this column behind it
            summary = pyramid.summary({i, --last});
        // What is shorter fills its column, as far as no wider neighbor has it.
        float fromPx = static_cast<float>(column);
        if (!spans.empty() && spans.back().endPx > fromPx)
            fromPx = std::min(spans.back().endPx, static_cast<float>(column) + 1);
        const float toPx = static_cast<float>(column) + 1;
        const LaneSpan next{
            fromPx,       toPx, summary.longest, last - i, levelOf(static_cast<double>(summary.busyNs) / columnNs),
            summary.kind, 0,    summary.memory};
        i = last;
        if (toPx <= fromPx) {  // the column belongs to a wider neighbor already: keep the count
            spans.back().count += next.count;
            if (longestNs < ownNs)
                spans.back().memory |= next.memory;
            continue;
        }
        LaneSpan* before = spans.empty() ? nullptr : &spans.back();
        const bool join = before != nullptr && before->endPx == next.startPx && before->kind == next.kind &&
                          before->level == next.level && before->memory == next.memory &&
                          (before->count > 1 || before->endPx - before->startPx < kOwnSpanPx);
        if (!join) {
            spans.push_back(next);
            longestNs = summary.longestNs;
            continue;
        }
        before->endPx = next.endPx;
        before->count += next.count;
        if (summary.longestNs > longestNs) {
            before->event = next.event;
            longestNs = summary.longestNs;
        }
    }
    return spans;
}

std::vector<LaneSpan> mergedLaneSpans(const Pyramid& pyramid, std::span<const EventRange> rows, Interval range,
                                      int widthPx)
{
    if (widthPx <= 0 || range.empty() || rows.empty())
        return {};
    if (rows.size() == 1)
        return laneSpans(pyramid, rows[0], range, widthPx);
    const auto& durations = pyramid.trace().columns().durationNs;

    // Per pixel: the span that shows there.
    std::vector<LaneSpan> all;
    std::vector<std::uint32_t> shown(static_cast<std::size_t>(widthPx), 0);  // index into `all`, plus 1
    for (std::size_t r = 0; r < rows.size(); ++r) {
        for (LaneSpan span : laneSpans(pyramid, rows[r], range, widthPx)) {
            span.row = static_cast<std::uint8_t>(std::min<std::size_t>(r, 255));
            all.push_back(span);
            const int from = std::clamp(static_cast<int>(span.startPx), 0, widthPx - 1);
            const int to = std::clamp(static_cast<int>(std::ceil(span.endPx)), from + 1, widthPx);
            for (int x = from; x < to; ++x) {
                std::uint32_t& pixel = shown[static_cast<std::size_t>(x)];
                if (pixel == 0 || covers(span, all[pixel - 1]))
                    pixel = static_cast<std::uint32_t>(all.size());
            }
        }
    }
    std::vector<LaneSpan> merged;
    for (int x = 0; x < widthPx;) {
        const std::uint32_t pixel = shown[static_cast<std::size_t>(x)];
        int end = x + 1;
        while (end < widthPx && shown[static_cast<std::size_t>(end)] == pixel)
            ++end;
        if (pixel != 0) {
            LaneSpan span = all[pixel - 1];
            span.startPx = std::max(span.startPx, static_cast<float>(x));
            span.endPx = std::min(span.endPx, static_cast<float>(end));
            LaneSpan* before = merged.empty() ? nullptr : &merged.back();
            if (before != nullptr && before->count > 1 && span.count > 1 && before->endPx == span.startPx &&
                before->kind == span.kind && before->level == span.level && before->memory == span.memory) {
                before->endPx = span.endPx;
                before->count += span.count;
                if (durations[span.event.index()] > durations[before->event.index()])
                    before->event = span.event;
            } else {
                merged.push_back(span);
            }
        }
        x = end;
    }
    return merged;
}

}  // namespace overlane
