#include "core/trace/trace.h"

#include <algorithm>

namespace overlane
{

Event Trace::event(EventIndex index) const
{
    const std::size_t at = index.index();
    Event event;
    event.track = trackOf(index);
    event.startNs = m_columns.startNs[at];
    event.durationNs = m_columns.durationNs[at];
    event.name = m_columns.name[at];
    event.kind = m_columns.kind[at];
    event.correlation = m_columns.correlation[at];
    if (const CopyInfo* info = copy(index))
        event.copy = *info;
    event.color = color(index);
    event.graph = graph(index);
    return event;
}

Interval Trace::interval(EventIndex index) const
{
    const std::int64_t start = m_columns.startNs[index.index()];
    return {start, start + m_columns.durationNs[index.index()]};
}

TrackId Trace::trackOf(EventIndex index) const
{
    const auto after =
        std::upper_bound(m_tracksByFirstEvent.begin(), m_tracksByFirstEvent.end(), index.value(),
                         [this](std::uint32_t value, TrackId id) { return value < track(id).events.first; });
    return after == m_tracksByFirstEvent.begin() ? TrackId() : *(after - 1);
}

std::vector<EventIndex> Trace::linkedWork(EventIndex index) const
{
    std::vector<EventIndex> work;
    if (!link(index).valid())
        return work;
    const EventIndex call = isDeviceWork(kind(index)) ? link(index) : index;
    work.push_back(link(call));
    const auto byCall = [](const auto& a, const auto& b) { return a.first < b.first; };
    const auto [first, last] =
        std::equal_range(m_extraLinks.begin(), m_extraLinks.end(), std::pair(call, EventIndex()), byCall);
    for (auto it = first; it != last; ++it)
        work.push_back(it->second);
    std::sort(work.begin(), work.end());
    return work;
}

const CopyInfo* Trace::copy(EventIndex index) const
{
    if (!isCopy(kind(index)))
        return nullptr;
    const auto found = std::lower_bound(m_copyEvents.begin(), m_copyEvents.end(), index);
    if (found == m_copyEvents.end() || *found != index)
        return nullptr;
    return &m_copies[static_cast<std::size_t>(found - m_copyEvents.begin())];
}

const CollectiveInfo* Trace::collective(EventIndex index) const
{
    const auto found = std::lower_bound(m_collectiveEvents.begin(), m_collectiveEvents.end(), index);
    if (found == m_collectiveEvents.end() || *found != index)
        return nullptr;
    return &m_collectives[static_cast<std::size_t>(found - m_collectiveEvents.begin())];
}

CollectiveGroups Trace::collectiveGroups() const
{
    const auto found = m_metadata.properties.find(kCollectiveGroups);
    return found == m_metadata.properties.end() ? CollectiveGroups() : collectiveGroupsOf(found->second);
}

std::uint32_t Trace::color(EventIndex index) const
{
    const auto found = std::lower_bound(m_coloredEvents.begin(), m_coloredEvents.end(), index);
    if (found == m_coloredEvents.end() || *found != index)
        return 0;
    return m_colors[static_cast<std::size_t>(found - m_coloredEvents.begin())];
}

std::uint32_t Trace::graph(EventIndex index) const
{
    const auto found = std::lower_bound(m_graphEvents.begin(), m_graphEvents.end(), index);
    if (found == m_graphEvents.end() || *found != index)
        return 0;
    return m_graphs[static_cast<std::size_t>(found - m_graphEvents.begin())];
}

std::size_t Trace::bytes() const
{
    constexpr std::size_t kPerEvent =
        2 * sizeof(std::int64_t) + sizeof(StringId) + sizeof(std::uint32_t) + sizeof(EventIndex) + sizeof(EventKind);
    std::size_t sum = eventCount() * kPerEvent + m_strings.bytes();
    sum += m_copies.size() * (sizeof(CopyInfo) + sizeof(EventIndex));
    sum += m_collectives.size() * (sizeof(CollectiveInfo) + sizeof(EventIndex));
    sum += (m_colors.size() + m_graphs.size()) * (sizeof(std::uint32_t) + sizeof(EventIndex));
    sum += m_extraLinks.size() * sizeof(m_extraLinks[0]);
    for (const Track& track : m_tracks)
        sum += sizeof(Track) + track.rows.size() * sizeof(EventRange);
    for (const CounterSeries& series : m_counters)
        sum += series.timesNs.size() * (sizeof(std::int64_t) + sizeof(double));
    return sum;
}

}  // namespace overlane
