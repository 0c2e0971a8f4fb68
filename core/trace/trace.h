// Trace: everything that happened, as columns; immutable once built, so any thread may read it.
//
// Owns all its data. Times are int64 nanoseconds since `startEpochNs` (half-open intervals).
// Events are ordered by track, then row, then start; see track.h for what a row is. A link joins
// a host call and its GPU work by correlation id.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/base/string_pool.h"
#include "core/trace/collective.h"
#include "core/trace/event.h"
#include "core/trace/import_stats.h"
#include "core/trace/trace_origin.h"
#include "core/trace/track.h"

namespace overlane
{

// What the trace knows of a GPU.
struct DeviceInfo {
    std::int32_t id = 0;
    std::string name;               // empty where the trace does not say
    std::int64_t memoryBytes = 0;   // 0 = unknown
    double linkBytesPerSecond = 0;  // host link, one direction; 0 = unknown
};

// One value per event, all of the same length.
struct EventColumns {
    std::vector<std::int64_t> startNs;
    std::vector<std::int64_t> durationNs;
    std::vector<StringId> name;
    std::vector<std::uint32_t> correlation;
    std::vector<EventIndex> link;  // see Trace::link()
    std::vector<EventKind> kind;
};

// The property that names what a recording was to record, as in "copies,kernels" (core/spool).
inline constexpr const char* kRecordedKinds = "recorded kinds";
// How many processors the recorded program may keep busy (core/system/usable_processors.h), a property of recordings.
inline constexpr const char* kUsableProcessors = "usable processors";

struct TraceMetadata {
    std::string format;             // who wrote it, as in files: TraceOriginRow::id, or a text that none has
    std::string title;              // file name or scenario name, for people
    std::int64_t startEpochNs = 0;  // Unix time of t = 0; 0 = unknown
    std::int64_t sourceEvents = 0;  // events in the source, on a track or counted as skipped
    std::string scenarioJson;       // the laboratory settings that made the trace; empty if none
    std::string notes;              // the user's own text
    std::map<std::string, std::string> properties;  // anything else worth showing

    // A run of the laboratory, simulated or on a GPU: its settings are here, and it can be run again.
    bool isLaboratoryRun() const { return !scenarioJson.empty(); }
};

class Trace
{
public:
    std::size_t eventCount() const { return m_columns.startNs.size(); }
    const EventColumns& columns() const { return m_columns; }
    // The event as a value (correlation kept, process not).
    Event event(EventIndex index) const;
    Interval interval(EventIndex index) const;
    std::string_view name(EventIndex index) const { return m_strings.view(m_columns.name[index.index()]); }
    EventKind kind(EventIndex index) const { return m_columns.kind[index.index()]; }

    std::span<const Track> tracks() const { return m_tracks; }
    const Track& track(TrackId id) const { return m_tracks[id.index()]; }
    std::span<const TrackId> roots() const { return m_roots; }
    TrackId trackOf(EventIndex index) const;

    // For GPU work: the call that caused it. For a call: the first GPU work it caused. Else none.
    EventIndex link(EventIndex index) const { return m_columns.link[index.index()]; }
    // All GPU work with the same cause as `index`, which is the call or any of its work; in order of index.
    std::vector<EventIndex> linkedWork(EventIndex index) const;

    // Set for copies only; nullptr for other kinds.
    const CopyInfo* copy(EventIndex index) const;
    // Set for communication kernels where the source tells; nullptr for all else.
    const CollectiveInfo* collective(EventIndex index) const;
    // Of metadata().properties; made anew at every call.
    CollectiveGroups collectiveGroups() const;
    // The color that the program gave the event, 0xAARRGGBB; 0 for nearly all.
    std::uint32_t color(EventIndex index) const;
    // The CUDA graph that launched the GPU work, as the profiler numbers it; 0 where it names none. Numbers are of
    // one process, and the work of one launch shares a correlation id.
    std::uint32_t graph(EventIndex index) const;

    std::span<const CounterSeries> counters() const { return m_counters; }
    std::span<const DeviceInfo> devices() const { return m_devices; }
    const StringPool& strings() const { return m_strings; }
    const ImportStats& stats() const { return m_stats; }
    const TraceMetadata& metadata() const { return m_metadata; }
    // Of metadata().format.
    const TraceOriginRow& origin() const { return overlane::rowOf(m_origin); }
    // The one thing that may change after build: the user's text. Not while another thread reads it.
    void setNotes(std::string notes) { m_metadata.notes = std::move(notes); }

    // From the first start to the last end of any event or counter; {0, 0} for an empty trace.
    Interval span() const { return m_span; }
    // Memory held by the columns, for the status bar and the memory benchmark.
    std::size_t bytes() const;

private:
    friend class TraceBuilder;

    EventColumns m_columns;
    std::vector<EventIndex> m_copyEvents;  // ascending, beside m_copies
    std::vector<CopyInfo> m_copies;
    std::vector<EventIndex> m_collectiveEvents;  // ascending, beside m_collectives
    std::vector<CollectiveInfo> m_collectives;
    std::vector<EventIndex> m_coloredEvents;  // ascending, beside m_colors
    std::vector<std::uint32_t> m_colors;
    std::vector<EventIndex> m_graphEvents;  // ascending, beside m_graphs
    std::vector<std::uint32_t> m_graphs;
    std::vector<std::pair<EventIndex, EventIndex>> m_extraLinks;  // call -> second and later GPU work
    std::vector<Track> m_tracks;
    std::vector<TrackId> m_roots;
    std::vector<TrackId> m_tracksByFirstEvent;  // tracks that hold events
    std::vector<CounterSeries> m_counters;
    std::vector<DeviceInfo> m_devices;
    StringPool m_strings;
    ImportStats m_stats;
    TraceMetadata m_metadata;
    TraceOrigin m_origin = TraceOrigin::Other;
    Interval m_span;
};

}  // namespace overlane
