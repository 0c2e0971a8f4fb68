#include "core/trace/trace_builder.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <functional>
#include <limits>
#include <numeric>

#include "core/base/printable_text.h"
#include "core/base/work_meter.h"
#include "core/trace/row_layout.h"

namespace overlane
{
namespace
{

// Chosen so that (latest start - earliest start + longest duration) cannot overflow.
constexpr std::int64_t kEarliestStartNs = -(std::int64_t{1} << 61);
constexpr std::int64_t kLatestStartNs = std::int64_t{1} << 62;
constexpr std::int64_t kLongestNs = std::int64_t{1} << 61;
constexpr std::int64_t kLargestCopyBytes = std::int64_t{1} << 50;
constexpr std::int64_t kMostTotal = std::int64_t{1} << 62;  // of all durations, and of all bytes
constexpr const char* kOutOfRange = "events more than 73 years long or from the epoch";

// A call may be a runtime call, or a wait that carries the same correlation id.
bool isCall(EventKind kind)
{
    return kind == EventKind::RuntimeCall || kind == EventKind::HostBlocked || kind == EventKind::HostWork;
}

std::uint64_t correlationKey(std::uint32_t process, std::uint32_t correlation)
{
    return (std::uint64_t{process} << 32) | correlation;
}

// Calls by correlationKey(), which is never 0. Grows never and is two blocks of memory: neither filling nor
// leaving it takes long at once, however many calls there are.
class CallTable
{
public:
    explicit CallTable(std::size_t calls) : m_keys(std::bit_ceil(2 * calls + 1), 0), m_calls(m_keys.size()) {}

    // The place of a key, which is invalid where it was not there before.
    EventIndex& operator[](std::uint64_t key)
    {
        const std::size_t at = placeOf(key);
        m_keys[at] = key;
        return m_calls[at];
    }
    EventIndex find(std::uint64_t key) const { return m_calls[placeOf(key)]; }

private:
    std::size_t placeOf(std::uint64_t key) const
    {
        constexpr std::uint64_t kGolden = 0x9E37'79B9'7F4A'7C15;
        std::size_t at = (key * kGolden >> 20) & (m_keys.size() - 1);
        while (m_keys[at] != 0 && m_keys[at] != key)
            at = (at + 1) & (m_keys.size() - 1);
        return at;
    }

    std::vector<std::uint64_t> m_keys;  // 0: nothing there
    std::vector<EventIndex> m_calls;
};

}  // namespace

TrackId TraceBuilder::addTrack(TrackId parent, TrackKind kind, std::string_view name, std::int32_t device,
                               std::int64_t nativeId, std::int32_t sortOrder)
{
    assert(!parent.valid() || parent.index() < m_trace.m_tracks.size());
    const TrackId id(m_trace.m_tracks.size());
    Track track;
    track.parent = parent;
    track.kind = kind;
    track.name = printableText(name);
    track.device = device;
    track.nativeId = nativeId;
    track.sortOrder = sortOrder;
    m_trace.m_tracks.push_back(std::move(track));
    (parent.valid() ? m_trace.m_tracks[parent.index()].children : m_trace.m_roots).push_back(id);
    return id;
}

void TraceBuilder::renameTrack(TrackId track, std::string_view name, std::int32_t sortOrder)
{
    m_trace.m_tracks[track.index()].name = printableText(name);
    m_trace.m_tracks[track.index()].sortOrder = sortOrder;
}

void TraceBuilder::setTrackOrder(TrackId track, std::int32_t sortOrder)
{
    m_trace.m_tracks[track.index()].sortOrder = sortOrder;
}

void TraceBuilder::setTrackKind(TrackId track, TrackKind kind)
{
    m_trace.m_tracks[track.index()].kind = kind;
}

void TraceBuilder::markBookkeeping(TrackId track)
{
    m_trace.m_tracks[track.index()].bookkeeping = true;
}

StringId TraceBuilder::intern(std::string_view text)
{
    if (const StringId known = m_trace.m_strings.find(text); known.valid())
        return known;
    return isPrintable(text) ? m_trace.m_strings.intern(text) : m_trace.m_strings.intern(printableText(text));
}

void TraceBuilder::reserve(std::size_t events)
{
    m_events.reserve(events);
}

bool TraceBuilder::addEvent(const Event& event, const CollectiveInfo* collective)
{
    assert(event.track.index() < m_trace.m_tracks.size());
    assert(event.copy.has_value() == isCopy(event.kind));
    if (event.durationNs < 0) {
        stats().add("negative_duration", "events that end before they start", Severity::Warning);
        return false;
    }
    if (event.startNs <= kEarliestStartNs || event.startNs >= kLatestStartNs || event.durationNs >= kLongestNs) {
        stats().add("time_out_of_range", kOutOfRange, Severity::Warning);
        return false;
    }
    // Whatever adds up times or sizes of events later cannot overflow.
    if (m_totalNs > kMostTotal - event.durationNs) {
        stats().add("time_out_of_range", kOutOfRange, Severity::Warning);
        return false;
    }
    if (event.copy) {
        if (event.copy->bytes < 0 || event.copy->bytes > kLargestCopyBytes ||
            m_totalBytes > kMostTotal - event.copy->bytes) {
            stats().add("impossible_size", "copies of a size that no memory has", Severity::Warning);
            return false;
        }
        m_totalBytes += event.copy->bytes;
    }
    m_totalNs += event.durationNs;
    if (collective != nullptr) {
        assert(event.kind == EventKind::Kernel);
        CollectiveInfo info = *collective;
        info.bytes = info.bytes > 0 && info.bytes <= kLargestCopyBytes ? info.bytes : 0;
        info.groupSize = info.groupSize > 0 && info.groupSize <= kMostRanks ? info.groupSize : 0;
        info.sequence = std::max<std::int64_t>(info.sequence, -1);
        m_collectives.emplace_back(static_cast<std::uint32_t>(m_events.size()), info);
    }
    m_events.push_back(event);
    return true;
}

TrackId TraceBuilder::addCounter(TrackId parent, std::string_view name, CounterUnit unit, std::int32_t sortOrder)
{
    const TrackId id = addTrack(parent, TrackKind::Counter, name, -1, 0, sortOrder);
    CounterSeries series;
    series.track = id;
    series.unit = unit;
    m_trace.m_counters.push_back(std::move(series));
    m_counterOfTrack.resize(id.index() + 1, 0);
    m_counterOfTrack[id.index()] = static_cast<std::uint32_t>(m_trace.m_counters.size());
    return id;
}

void TraceBuilder::addSample(TrackId counter, std::int64_t timeNs, double value)
{
    assert(counter.index() < m_counterOfTrack.size() && m_counterOfTrack[counter.index()] != 0);
    if (timeNs <= kEarliestStartNs || timeNs >= kLatestStartNs) {
        stats().add("time_out_of_range", kOutOfRange, Severity::Warning);
        return;
    }
    CounterSeries& series = m_trace.m_counters[m_counterOfTrack[counter.index()] - 1];
    series.timesNs.push_back(timeNs);
    series.values.push_back(value);
}

void TraceBuilder::addDevice(const DeviceInfo& device)
{
    const auto [place, isNew] = m_deviceOfId.try_emplace(device.id, m_trace.m_devices.size());
    if (isNew)
        m_trace.m_devices.push_back(device);
    else
        m_trace.m_devices[place->second] = device;
    std::string& name = m_trace.m_devices[place->second].name;
    name = printableText(name);
}

Trace TraceBuilder::build(bool rebaseToFirst, const Progress* progress)
{
    m_progress = progress;
    try {
        if (rebaseToFirst)
            rebase();
        for (void (TraceBuilder::*part)() :
             {&TraceBuilder::sortIntoRows, &TraceBuilder::linkCalls, &TraceBuilder::sortCounters,
              &TraceBuilder::orderTracks, &TraceBuilder::measureSpan})
            (this->*part)();
    } catch (const WorkMeter::Cancelled&) {
        *this = TraceBuilder();
        return Trace();
    }
    cleanMetadata();
    Trace result = std::move(m_trace);
    *this = TraceBuilder();
    return result;
}

void TraceBuilder::cleanMetadata()
{
    m_trace.m_origin = originOf(metadata().format);
    metadata().format = printableText(metadata().format);
    metadata().title = printableText(metadata().title);
    std::map<std::string, std::string> properties;
    for (const auto& [key, value] : metadata().properties)
        properties.insert_or_assign(printableText(key), printableText(value, TextLines::Several));
    metadata().properties = std::move(properties);
}

void TraceBuilder::rebase()
{
    const WorkMeter work(m_progress);
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (const Event& event : m_events) {
        work.count();
        first = std::min(first, event.startNs);
    }
    if (m_events.empty())
        return;
    for (Event& event : m_events) {
        work.count();
        event.startNs -= first;
    }
    for (CounterSeries& series : m_trace.m_counters)
        for (std::int64_t& timeNs : series.timesNs) {
            work.count();
            timeNs -= first;
        }
    // An epoch that cannot be told is unknown rather than wrong.
    if (__builtin_add_overflow(metadata().startEpochNs, first, &metadata().startEpochNs))
        metadata().startEpochNs = 0;
}

void TraceBuilder::sortIntoRows()
{
    const WorkMeter work(m_progress);
    // By track first, in one pass; then each track for itself, most of which come in order.
    std::vector<std::uint32_t> next(m_trace.m_tracks.size() + 1, 0);
    for (const Event& event : m_events) {
        work.count();
        ++next[event.track.index() + 1];
    }
    std::partial_sum(next.begin(), next.end(), next.begin());
    const std::vector<std::uint32_t> firstOfTrack = next;
    std::vector<std::uint32_t> order(m_events.size());
    for (std::uint32_t at = 0; at < m_events.size(); ++at) {
        work.count();
        order[next[m_events[at].track.index()]++] = at;
    }
    // Longer first among equal starts, so that a parent lies above its children.
    const auto before = work.counting([this](std::uint32_t a, std::uint32_t b) {
        const Event& left = m_events[a];
        const Event& right = m_events[b];
        return left.startNs != right.startNs ? left.startNs < right.startNs : left.durationNs > right.durationNs;
    });
    for (std::size_t track = 0; track + 1 < firstOfTrack.size(); ++track) {
        const auto first = order.begin() + firstOfTrack[track];
        const auto last = order.begin() + firstOfTrack[track + 1];
        if (!std::is_sorted(first, last, before))
            std::stable_sort(first, last, before);
    }

    EventColumns& columns = m_trace.m_columns;
    columns.startNs.reserve(order.size());
    columns.durationNs.reserve(order.size());
    columns.name.reserve(order.size());
    columns.correlation.reserve(order.size());
    columns.kind.reserve(order.size());
    m_processes.reserve(order.size());

    std::vector<std::uint32_t> rows(order.size());
    for (std::size_t first = 0; first < order.size();) {
        const TrackId trackId = m_events[order[first]].track;
        RowLayout layout;
        std::size_t last = first;
        for (; last < order.size() && m_events[order[last]].track == trackId; ++last) {
            work.count();
            const Event& event = m_events[order[last]];
            rows[last] = layout.place(event.startNs, event.endNs());
        }
        // Counting sort by row keeps the order by start within each row.
        std::vector<std::uint32_t> nextOfRow(layout.rowCount() + 1, 0);
        for (std::size_t at = first; at < last; ++at) {
            work.count();
            ++nextOfRow[rows[at] + 1];
        }
        std::partial_sum(nextOfRow.begin(), nextOfRow.end(), nextOfRow.begin());
        Track& track = m_trace.m_tracks[trackId.index()];
        track.events = {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)};
        for (std::uint32_t row = 0; row < layout.rowCount(); ++row)
            track.rows.push_back({track.events.first + nextOfRow[row], track.events.first + nextOfRow[row + 1]});
        std::vector<std::uint32_t> sorted(last - first);
        for (std::size_t at = first; at < last; ++at) {
            work.count();
            sorted[nextOfRow[rows[at]]++] = order[at];
        }
        for (const std::uint32_t source : sorted) {
            work.count();
            const Event& event = m_events[source];
            if (event.copy) {
                m_trace.m_copyEvents.emplace_back(columns.startNs.size());
                m_trace.m_copies.push_back(*event.copy);
            }
            if (event.kind == EventKind::Kernel && !m_collectives.empty()) {
                const auto info =
                    std::lower_bound(m_collectives.begin(), m_collectives.end(), source,
                                     [](const auto& entry, std::uint32_t place) { return entry.first < place; });
                if (info != m_collectives.end() && info->first == source) {
                    m_trace.m_collectiveEvents.emplace_back(columns.startNs.size());
                    m_trace.m_collectives.push_back(info->second);
                }
            }
            if (event.color != 0) {
                m_trace.m_coloredEvents.emplace_back(columns.startNs.size());
                m_trace.m_colors.push_back(event.color);
            }
            if (event.graph != 0) {
                m_trace.m_graphEvents.emplace_back(columns.startNs.size());
                m_trace.m_graphs.push_back(event.graph);
            }
            columns.startNs.push_back(event.startNs);
            columns.durationNs.push_back(event.durationNs);
            columns.name.push_back(event.name);
            columns.correlation.push_back(event.correlation);
            columns.kind.push_back(event.kind);
            m_processes.push_back(event.process);
        }
        m_trace.m_tracksByFirstEvent.push_back(trackId);
        first = last;
    }
    columns.link.assign(order.size(), EventIndex());
    m_events = std::vector<Event>();  // `= {}` would keep the memory
    m_collectives = decltype(m_collectives)();
}

void TraceBuilder::linkCalls()
{
    const WorkMeter work(m_progress);
    const EventColumns& columns = m_trace.m_columns;
    std::vector<EventIndex>& link = m_trace.m_columns.link;
    const std::size_t count = columns.startNs.size();
    const auto hasCall = [&](std::size_t at) {
        work.count();
        return columns.correlation[at] != 0 && isCall(columns.kind[at]);
    };
    std::size_t callCount = 0;
    for (std::size_t at = 0; at < count; ++at)
        callCount += hasCall(at);
    CallTable calls(callCount);
    // A driver call may share the id of the runtime call around it: the outer, longer one wins,
    // and a runtime call always wins over other host events that carry the id.
    const auto better = [&](std::size_t candidate, std::size_t present) {
        const bool candidateIsRuntime = columns.kind[candidate] == EventKind::RuntimeCall;
        const bool presentIsRuntime = columns.kind[present] == EventKind::RuntimeCall;
        return candidateIsRuntime != presentIsRuntime ? candidateIsRuntime
                                                      : columns.durationNs[candidate] > columns.durationNs[present];
    };
    for (std::size_t at = 0; at < count; ++at) {
        if (!hasCall(at))
            continue;
        EventIndex& call = calls[correlationKey(m_processes[at], columns.correlation[at])];
        if (!call.valid() || better(at, call.index()))
            call = EventIndex(at);
    }
    for (std::size_t at = 0; at < count; ++at) {
        work.count();
        if (columns.correlation[at] == 0 || !isDeviceWork(columns.kind[at]))
            continue;
        const EventIndex call = calls.find(correlationKey(m_processes[at], columns.correlation[at]));
        if (!call.valid())
            continue;
        link[at] = call;
        EventIndex& first = link[call.index()];
        if (!first.valid()) {
            first = EventIndex(at);
            continue;
        }
        EventIndex later(at);
        if (columns.startNs[at] < columns.startNs[first.index()])
            std::swap(first, later);
        m_trace.m_extraLinks.emplace_back(call, later);
    }
    std::sort(m_trace.m_extraLinks.begin(), m_trace.m_extraLinks.end(), work.counting(std::less<>()));
    m_processes = std::vector<std::uint32_t>();
}

void TraceBuilder::sortCounters()
{
    const WorkMeter work(m_progress);
    for (CounterSeries& series : m_trace.m_counters) {
        if (std::is_sorted(series.timesNs.begin(), series.timesNs.end(), work.counting(std::less<>())))
            continue;
        std::vector<std::uint32_t> order(series.timesNs.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), work.counting([&](std::uint32_t a, std::uint32_t b) {
            return series.timesNs[a] < series.timesNs[b];
        }));
        CounterSeries sorted;
        sorted.track = series.track;
        sorted.unit = series.unit;
        for (const std::uint32_t at : order) {
            work.count();
            sorted.timesNs.push_back(series.timesNs[at]);
            sorted.values.push_back(series.values[at]);
        }
        series = std::move(sorted);
    }
}

void TraceBuilder::orderTracks()
{
    const auto byOrder = [this](TrackId a, TrackId b) {
        return m_trace.track(a).sortOrder < m_trace.track(b).sortOrder;
    };
    std::stable_sort(m_trace.m_roots.begin(), m_trace.m_roots.end(), byOrder);
    for (Track& track : m_trace.m_tracks)
        std::stable_sort(track.children.begin(), track.children.end(), byOrder);
}

void TraceBuilder::measureSpan()
{
    const WorkMeter work(m_progress);
    const EventColumns& columns = m_trace.m_columns;
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    for (std::size_t at = 0; at < columns.startNs.size(); ++at) {
        work.count();
        first = std::min(first, columns.startNs[at]);
        last = std::max(last, columns.startNs[at] + columns.durationNs[at]);
    }
    for (const CounterSeries& series : m_trace.m_counters) {
        if (series.timesNs.empty())
            continue;
        first = std::min(first, series.timesNs.front());
        last = std::max(last, series.timesNs.back());
    }
    m_trace.m_span = first <= last ? Interval{first, last} : Interval{};
}

}  // namespace overlane
