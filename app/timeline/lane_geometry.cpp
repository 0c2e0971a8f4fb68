#include "app/timeline/lane_geometry.h"

#include <algorithm>
#include <cmath>

namespace overlane
{

namespace
{

constexpr int kSeparatedPx = 5;  // bars of at least this width give a pixel to their neighbor

}  // namespace

std::vector<LaneBar> laneBars(std::span<const LaneSpan> spans)
{
    std::vector<LaneBar> bars;
    bars.reserve(spans.size());
    for (const LaneSpan& span : spans) {
        LaneBar bar{static_cast<int>(std::lround(span.startPx)),
                    static_cast<int>(std::lround(span.endPx)),
                    span.event,
                    span.count,
                    span.level,
                    span.kind,
                    span.memory};
        bar.rightPx = std::max(bar.rightPx, bar.leftPx + 1);
        if (!bars.empty()) {
            LaneBar& before = bars.back();
            bar.leftPx = std::max(bar.leftPx, before.rightPx);
            if (bar.leftPx >= bar.rightPx) {
                before.count += bar.count;
                before.memory |= bar.memory;
                continue;
            }
            if (bar.leftPx == before.rightPx && before.count == 1 && before.widthPx() >= kSeparatedPx)
                --before.rightPx;
        }
        bars.push_back(bar);
    }
    return bars;
}

std::vector<LaneBar> laneBars(const Pyramid& pyramid, std::span<const EventRange> rows, Interval range, int widthPx)
{
    return laneBars(mergedLaneSpans(pyramid, rows, range, widthPx));
}

const LaneBar* barAt(std::span<const LaneBar> bars, int xPx, int reachPx)
{
    const auto next =
        std::upper_bound(bars.begin(), bars.end(), xPx, [](int x, const LaneBar& bar) { return x < bar.leftPx; });
    const LaneBar* nearest = nullptr;
    int distance = reachPx + 1;
    if (next != bars.begin()) {
        nearest = &*std::prev(next);
        distance = std::max(0, xPx - nearest->rightPx + 1);
    }
    if (next != bars.end() && next->leftPx - xPx < distance) {
        nearest = &*next;
        distance = next->leftPx - xPx;
    }
    return distance <= reachPx ? nearest : nullptr;
}

std::optional<std::int64_t> returnedDuring(const Trace& trace, EventIndex copy)
{
    const EventIndex call = trace.link(copy);
    if (!isCopy(trace.kind(copy)) || !call.valid())
        return std::nullopt;
    const Interval interval = trace.interval(copy);
    const std::int64_t endNs = trace.interval(call).endNs;
    if (endNs < interval.startNs || endNs > interval.endNs)
        return std::nullopt;
    return endNs;
}

}  // namespace overlane
