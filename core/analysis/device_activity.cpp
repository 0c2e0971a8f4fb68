#include "core/analysis/device_activity.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace overlane
{
namespace
{

struct Collector {
    DeviceActivity activity;
    // One set per row, united at the end.
    std::vector<IntervalSet> h2d, d2h, otherCopies, kernels, memsets;
    std::vector<EventRange> rows;
    std::set<std::int64_t> kernelStreams;  // native ids

    void addRow(const Trace& trace, const Track& track, EventRange row);
    void finish(const Trace& trace);
    void findIdle(const Trace& trace);
};

// The first gap at or after `from` that does not end (or start) before a time. Events and gaps both
// advance, so the search doubles its steps from where the last one ended.
template <typename Before>
std::size_t gallop(const std::vector<IdleGap>& gaps, std::size_t from, Before before)
{
    std::size_t step = 1;
    std::size_t low = from;
    while (low + step < gaps.size() && before(gaps[low + step])) {
        low += step;
        step *= 2;
    }
    const auto first = gaps.begin() + static_cast<std::ptrdiff_t>(low);
    const auto last = gaps.begin() + static_cast<std::ptrdiff_t>(std::min(low + step + 1, gaps.size()));
    return static_cast<std::size_t>(std::partition_point(first, last, before) - gaps.begin());
}

// "Stream 7 waits for event 3" names its stream; otherwise the row lies on the stream's own track.
std::int64_t waitingStream(std::string_view name, const Track& track)
{
    constexpr std::string_view kPrefix = "Stream ";
    std::int64_t stream = track.nativeId;
    if (name.starts_with(kPrefix))
        std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), stream);
    return stream;
}

std::int64_t defaultStreamOf(const Trace& trace, std::int32_t device)
{
    // Numbers that CUPTI and roctracer give the null stream of a device's first context.
    constexpr std::array<std::int64_t, 2> kNullStreams{7, 0};
    const std::string& format = trace.metadata().format;
    const bool imported = format == "kineto" || format == "nsys";
    std::array<bool, kNullStreams.size()> seen{};
    for (const Track& track : trace.tracks()) {
        if (track.kind != TrackKind::Stream || track.device != device || track.events.empty())
            continue;
        if (track.name.find("(default)") != std::string::npos)
            return track.nativeId;
        for (std::size_t at = 0; at < kNullStreams.size(); ++at)
            seen[at] = seen[at] || track.nativeId == kNullStreams[at];
    }
    for (std::size_t at = 0; imported && at < kNullStreams.size(); ++at)
        if (seen[at])
            return kNullStreams[at];
    return -1;
}

// "Stream Wait Event" and "Stream 7 waits for event 3" on the rows of a device; the host's own waits
// are named otherwise.
bool saysThatAStreamWaits(std::string_view name)
{
    return name.starts_with("Stream") &&
           (name.find("Wait") != std::string_view::npos || name.find("wait") != std::string_view::npos);
}

void Collector::addRow(const Trace& trace, const Track& track, EventRange row)
{
    rows.push_back(row);
    IntervalSet rowH2d, rowD2h, rowOther, rowKernels, rowMemsets;
    for (std::uint32_t at = row.first; at < row.last; ++at) {
        const EventIndex index(at);
        const Interval interval = trace.interval(index);
        switch (trace.kind(index)) {
            case EventKind::Kernel:
                rowKernels.add(interval);
                activity.kernelStartsNs.push_back(interval.startNs);
                if (track.kind == TrackKind::Stream)
                    kernelStreams.insert(track.nativeId);
                break;
            case EventKind::Memset:
                rowMemsets.add(interval);
                break;
            case EventKind::CopyH2D:
            case EventKind::CopyD2H: {
                const bool toDevice = trace.kind(index) == EventKind::CopyH2D;
                const CopyInfo* info = trace.copy(index);
                CopyRecord record;
                record.event = index;
                record.call = trace.link(index);
                record.stream = track.kind == TrackKind::Stream ? track.nativeId : -1;
                record.async = info ? info->async : AsyncFlag::Unknown;
                record.startNs = interval.startNs;
                record.durationNs = interval.lengthNs();
                record.bytes = info ? info->bytes : 0;
                record.hostMemory = info ? info->hostSide(trace.kind(index)) : MemoryKind::Unknown;
                (toDevice ? rowH2d : rowD2h).add(interval);
                (toDevice ? activity.h2dCopies : activity.d2hCopies).push_back(record);
                break;
            }
            case EventKind::CopyD2D:
            case EventKind::CopyOther:
                rowOther.add(interval);
                activity.otherCopyStartsNs.push_back(interval.startNs);
                break;
            default:
                break;
        }
    }
    const auto keep = [](std::vector<IntervalSet>& sets, IntervalSet set) {
        if (!set.empty())
            sets.push_back(std::move(set));
    };
    keep(h2d, std::move(rowH2d));
    keep(d2h, std::move(rowD2h));
    keep(otherCopies, std::move(rowOther));
    keep(kernels, std::move(rowKernels));
    keep(memsets, std::move(rowMemsets));
}

void Collector::finish(const Trace& trace)
{
    activity.h2d = unite(std::move(h2d));
    activity.d2h = unite(std::move(d2h));
    activity.otherCopies = unite(std::move(otherCopies));
    activity.kernels = unite(std::move(kernels));
    activity.h2dHidden = intersect(activity.h2d, activity.kernels);
    activity.d2hHidden = intersect(activity.d2h, activity.kernels);
    // The kernels last: they are most, and are gone through once.
    activity.busy = unite(activity.kernels, unite(unite(activity.h2d, activity.d2h),
                                                  unite(activity.otherCopies, unite(std::move(memsets)))));
    const auto ordered = [](auto& values) {
        if (!std::is_sorted(values.begin(), values.end()))
            std::sort(values.begin(), values.end());
    };
    ordered(activity.kernelStartsNs);
    ordered(activity.otherCopyStartsNs);
    const auto byStart = [](const CopyRecord& a, const CopyRecord& b) {
        return std::pair(a.startNs, a.event) < std::pair(b.startNs, b.event);
    };
    std::sort(activity.h2dCopies.begin(), activity.h2dCopies.end(), byStart);
    std::sort(activity.d2hCopies.begin(), activity.d2hCopies.end(), byStart);
    activity.kernelStreams.assign(kernelStreams.begin(), kernelStreams.end());
    activity.defaultStream = defaultStreamOf(trace, activity.id);
    findIdle(trace);
}

// Which work ends and begins every idle time.
void Collector::findIdle(const Trace& trace)
{
    const std::vector<Interval>& busy = activity.busy.intervals();
    std::vector<IdleGap>& gaps = activity.idle;
    gaps.resize(busy.empty() ? 0 : busy.size() - 1);
    for (std::size_t at = 0; at < gaps.size(); ++at)
        gaps[at].interval = {busy[at].endNs, busy[at + 1].startNs};
    if (gaps.empty())
        return;
    for (const EventRange row : rows) {
        std::size_t at = 0;
        for (std::uint32_t event = row.first; event < row.last && at < gaps.size(); ++event) {
            const EventIndex index(event);
            const EventKind kind = trace.kind(index);
            const Interval interval = trace.interval(index);
            if (!isDeviceWork(kind) || interval.empty())
                continue;
            at = gallop(gaps, at, [&](const IdleGap& gap) { return gap.interval.endNs < interval.startNs; });
            // Of works that begin at once a kernel stands for them.
            if (at < gaps.size() && gaps[at].interval.endNs == interval.startNs && !gaps[at].beforeKernel) {
                const EventIndex call = trace.link(index);
                gaps[at].next = index;
                gaps[at].beforeKernel = kind == EventKind::Kernel;
                gaps[at].queuedNs = call.valid() ? trace.interval(call).endNs : IdleGap().queuedNs;
            }
            at = gallop(gaps, at, [&](const IdleGap& gap) { return gap.interval.startNs < interval.endNs; });
            if (at < gaps.size() && gaps[at].interval.startNs == interval.endNs) {
                gaps[at].previous = index;
                gaps[at].afterShortKernel = kind == EventKind::Kernel && interval.lengthNs() <= kShortKernelNs;
            }
        }
    }
}

}  // namespace

std::vector<DeviceActivity> deviceActivities(const Trace& trace)
{
    std::map<std::int32_t, Collector> collectors;
    for (const Track& track : trace.tracks()) {
        const auto hasGpuWork = [&](EventRange row) {
            for (std::uint32_t at = row.first; at < row.last; ++at)
                if (isDeviceWork(trace.kind(EventIndex(at))))
                    return true;
            return false;
        };
        for (const EventRange row : track.rows)
            if (hasGpuWork(row))
                collectors[track.device].addRow(trace, track, row);
    }
    std::vector<DeviceActivity> activities;
    for (auto& [id, collector] : collectors) {
        collector.activity.id = id;
        for (const DeviceInfo& device : trace.devices())
            if (device.id == id)
                collector.activity.name = device.name;
        collector.finish(trace);
        activities.push_back(std::move(collector.activity));
    }
    for (const Track& track : trace.tracks())
        for (std::uint32_t at = track.device < 0 ? track.events.last : track.events.first; at < track.events.last; ++at)
            if (const EventIndex index(at);
                trace.kind(index) == EventKind::Sync && saysThatAStreamWaits(trace.name(index)))
                for (DeviceActivity& activity : activities)
                    if (activity.id == track.device)
                        activity.streamWaits.push_back(
                            {waitingStream(trace.name(index), track), trace.interval(index).startNs, index});
    for (DeviceActivity& activity : activities)
        std::sort(activity.streamWaits.begin(), activity.streamWaits.end(), [](const auto& a, const auto& b) {
            return std::tie(a.timeNs, a.event) < std::tie(b.timeNs, b.event);
        });
    return activities;
}

bool DeviceActivity::hasKernels(std::int64_t stream) const
{
    return stream >= 0 && std::binary_search(kernelStreams.begin(), kernelStreams.end(), stream);
}

}  // namespace overlane
