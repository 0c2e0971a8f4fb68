#include "app/timeline/idle_lane.h"

#include <algorithm>

#include "core/lod/time_scale.h"

namespace overlane
{

namespace
{

const DeviceActivity* activityOf(const Analysis& analysis, std::int32_t device)
{
    for (const DeviceActivity& activity : analysis.devices())
        if (activity.id == device)
            return &activity;
    return nullptr;
}

}  // namespace

std::optional<IdleGapAt> idleGapAt(const Analysis& analysis, std::int32_t device, std::int64_t timeNs)
{
    const DeviceActivity* activity = activityOf(analysis, device);
    if (activity == nullptr || !analysis.span().contains(timeNs))
        return {};
    const std::vector<Interval>& kernels = activity->kernels.intervals();
    const auto next = std::upper_bound(kernels.begin(), kernels.end(), timeNs,
                                       [](std::int64_t time, const Interval& kernel) { return time < kernel.startNs; });
    Interval gap = analysis.span();
    if (next != kernels.begin()) {
        if (std::prev(next)->endNs > timeNs)
            return {};
        gap.startNs = std::prev(next)->endNs;
    }
    if (next != kernels.end())
        gap.endNs = next->startNs;
    return IdleGapAt{device, gap};
}

std::optional<IdleGapAt> idleGapBefore(const Trace& trace, const Analysis& analysis, EventIndex kernel)
{
    if (trace.kind(kernel) != EventKind::Kernel)
        return {};
    const std::int32_t device = trace.track(trace.trackOf(kernel)).device;
    const std::int64_t startNs = trace.interval(kernel).startNs;
    const DeviceActivity* activity = activityOf(analysis, device);
    if (activity == nullptr || activity->kernels.empty() || startNs <= activity->kernels.span().startNs)
        return {};
    const auto gap = idleGapAt(analysis, device, startNs - 1);
    return gap && gap->interval.endNs == startNs ? gap : std::nullopt;
}

std::vector<IdleSpan> idleSpans(const LostTime& lost, Interval range, int widthPx)
{
    std::vector<IdleSpan> spans;
    if (range.empty() || widthPx <= 0)
        return spans;
    std::vector<LostCause> causes;  // those that reach into the range
    for (int i = 0; i < kLostCauseCount; ++i)
        if (lost[static_cast<std::size_t>(i)].measureNs(range) > 0)
            causes.push_back(static_cast<LostCause>(i));
    const TimeScale scale(range, widthPx);
    for (int x = 0; x < widthPx && !causes.empty(); ++x) {
        Interval column{scale.columnStartNs(x, widthPx), scale.columnStartNs(x + 1, widthPx)};
        column.endNs = std::max(column.endNs, column.startNs + 1);  // columns finer than a nanosecond
        std::int64_t idleNs = 0;
        std::int64_t mostNs = 0;
        LostCause main = LostCause::Unknown;
        for (const LostCause cause : causes) {
            const std::int64_t ns = lost[static_cast<std::size_t>(cause)].measureNs(column);
            idleNs += ns;
            if (ns > mostNs) {
                mostNs = ns;
                main = cause;
            }
        }
        if (2 * idleNs < column.lengthNs() || mostNs == 0)
            continue;
        if (!spans.empty() && spans.back().rightPx == x && spans.back().cause == main)
            ++spans.back().rightPx;
        else
            spans.push_back({x, x + 1, main});
    }
    return spans;
}

}  // namespace overlane
