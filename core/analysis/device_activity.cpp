#include "core/analysis/device_activity.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace overlane
{
namespace
{

struct Collector {
    DeviceActivity activity;
    // One set per row, united at the end.
    std::vector<IntervalSet> h2d, d2h, otherCopies, kernels, memsets;
    std::set<std::int64_t> kernelStreams;  // native ids

    void addRow(const Trace& trace, const Track& track, EventRange row);
    void finish();
    void decide(const Trace& trace, std::vector<CopyRecord>& copies, const IntervalSet& hidden) const;
};

void Collector::addRow(const Trace& trace, const Track& track, EventRange row)
{
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

void Collector::finish()
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
}

void Collector::decide(const Trace& trace, std::vector<CopyRecord>& copies, const IntervalSet& hidden) const
{
    for (CopyRecord& record : copies) {
        const CopyInfo* info = trace.copy(record.event);
        const Track& track = trace.track(trace.trackOf(record.event));
        CopyFacts facts;
        facts.durationNs = record.durationNs;
        facts.hiddenNs = hidden.measureNs({record.startNs, record.startNs + record.durationNs});
        facts.hostMemory = record.hostMemory;
        facts.async = info ? info->async : AsyncFlag::Unknown;
        facts.streamHasKernels = track.kind == TrackKind::Stream && kernelStreams.count(track.nativeId) > 0;
        record.hiddenNs = facts.hiddenNs;
        record.cause = causeOf(facts);
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
        collector.finish();
        DeviceActivity& activity = collector.activity;
        collector.decide(trace, activity.h2dCopies, activity.kernels);
        collector.decide(trace, activity.d2hCopies, activity.kernels);
        activities.push_back(std::move(activity));
    }
    return activities;
}

}  // namespace overlane
