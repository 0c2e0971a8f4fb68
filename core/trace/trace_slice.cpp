#include "core/trace/trace_slice.h"

#include <algorithm>
#include <vector>

#include "core/trace/trace_builder.h"

namespace overlane
{
namespace
{

class Slicer
{
public:
    Slicer(const Trace& trace, Interval range) : m_trace(trace), m_range(range), m_tracks(trace.tracks().size())
    {
        for (const CounterSeries& series : trace.counters())
            m_units.emplace_back(series.track, series.unit);
    }

    Trace slice(TraceMetadata metadata)
    {
        for (const Track& track : m_trace.tracks())
            for (std::uint32_t at = track.events.first; at < track.events.last; ++at)
                addEvent(EventIndex(at));
        for (const CounterSeries& series : m_trace.counters())
            addSamples(series);
        for (const DeviceInfo& device : m_trace.devices())
            m_builder.addDevice(device);
        if (metadata.startEpochNs != 0)
            metadata.startEpochNs += m_range.startNs;
        m_builder.metadata() = std::move(metadata);
        m_builder.stats() = m_trace.stats();
        return m_builder.build(false);
    }

private:
    // The track's copy, made with its parents when it is first used.
    TrackId copyOf(TrackId id)
    {
        TrackId& copy = m_tracks[id.index()];
        if (copy.valid())
            return copy;
        const Track& track = m_trace.track(id);
        const TrackId parent = track.parent.valid() ? copyOf(track.parent) : TrackId();
        const auto unit =
            std::find_if(m_units.begin(), m_units.end(), [id](const auto& entry) { return entry.first == id; });
        copy = unit != m_units.end()
                   ? m_builder.addCounter(parent, track.name, unit->second, track.sortOrder)
                   : m_builder.addTrack(parent, track.kind, track.name, track.device, track.nativeId, track.sortOrder);
        if (track.bookkeeping)
            m_builder.markBookkeeping(copy);
        return copy;
    }

    // Correlations are joined within a root of the tree of host tracks; GPU work keeps its call's.
    std::uint32_t processOf(EventIndex index) const
    {
        const EventIndex call = isDeviceWork(m_trace.kind(index)) ? m_trace.link(index) : index;
        TrackId track = m_trace.trackOf(call.valid() ? call : index);
        while (m_trace.track(track).parent.valid())
            track = m_trace.track(track).parent;
        return track.value() + 1;
    }

    void addEvent(EventIndex index)
    {
        Event event = m_trace.event(index);
        const std::int64_t startNs = std::max(event.startNs, m_range.startNs);
        const std::int64_t endNs = std::min(event.endNs(), m_range.endNs);
        if (endNs < startNs || event.startNs >= m_range.endNs ||
            (event.endNs() <= m_range.startNs && event.durationNs > 0))
            return;
        event.track = copyOf(event.track);
        event.startNs = startNs - m_range.startNs;
        event.durationNs = endNs - startNs;
        event.name = m_builder.intern(m_trace.name(index));
        event.process = processOf(index);
        const CollectiveInfo* whole = m_trace.collective(index);
        if (whole == nullptr) {
            m_builder.addEvent(event);
            return;
        }
        CollectiveInfo info = *whole;
        if (info.group.valid())
            info.group = m_builder.intern(m_trace.strings().view(info.group));
        m_builder.addEvent(event, &info);
    }

    void addSamples(const CounterSeries& series)
    {
        const auto first = std::lower_bound(series.timesNs.begin(), series.timesNs.end(), m_range.startNs);
        const auto last = std::lower_bound(first, series.timesNs.end(), m_range.endNs);
        if (series.timesNs.empty() || (first == series.timesNs.begin() && first == last))
            return;
        const TrackId track = copyOf(series.track);
        const auto value = [&](auto time) {
            return series.values[static_cast<std::size_t>(time - series.timesNs.begin())];
        };
        if (first != series.timesNs.begin() && (first == last || *first > m_range.startNs))
            m_builder.addSample(track, 0, value(first - 1));
        for (auto time = first; time != last; ++time)
            m_builder.addSample(track, *time - m_range.startNs, value(time));
    }

    const Trace& m_trace;
    const Interval m_range;
    TraceBuilder m_builder;
    std::vector<TrackId> m_tracks;
    std::vector<std::pair<TrackId, CounterUnit>> m_units;
};

}  // namespace

Trace sliceTrace(const Trace& trace, Interval range, TraceMetadata metadata)
{
    return Slicer(trace, range).slice(std::move(metadata));
}

}  // namespace overlane
