// TraceBuilder: takes events in any order and makes an immutable Trace of them.
//
// Owns what it is given until build(). One thread. Bad events are counted, never fatal:
// negative durations and times decades off are skipped with a reason.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/trace/trace.h"

namespace overlane
{

class TraceBuilder
{
public:
    // Parents must exist before their children. Returns the id of the new track.
    TrackId addTrack(TrackId parent, TrackKind kind, std::string_view name, std::int32_t device = -1,
                     std::int64_t nativeId = 0, std::int32_t sortOrder = 0);
    // The child of `parent` with this kind and native id, made with `name` where there is none.
    TrackId findOrAddTrack(TrackId parent, TrackKind kind, std::int64_t nativeId, std::string_view name,
                           std::int32_t device = -1, std::int32_t sortOrder = 0);
    void renameTrack(TrackId track, std::string_view name, std::int32_t sortOrder);
    void setTrackOrder(TrackId track, std::int32_t sortOrder);
    void setTrackKind(TrackId track, TrackKind kind);  // of what turns out to be another than it seemed
    void markBookkeeping(TrackId track);

    StringId intern(std::string_view text) { return m_trace.m_strings.intern(text); }
    std::string_view text(StringId id) const { return m_trace.m_strings.view(id); }
    void reserve(std::size_t events);

    // False where the event was counted as skipped instead.
    bool addEvent(const Event& event);

    // A counter is a track of kind Counter. Samples may come in any order.
    TrackId addCounter(TrackId parent, std::string_view name, CounterUnit unit, std::int32_t sortOrder = 0);
    void addSample(TrackId counter, std::int64_t timeNs, double value);

    void addDevice(const DeviceInfo& device);  // a second one with the same id replaces the first
    ImportStats& stats() { return m_trace.m_stats; }
    TraceMetadata& metadata() { return m_trace.m_metadata; }

    // Sorts, lays out rows, links calls to GPU work, and empties the builder. With `rebase`, t = 0
    // becomes the first event's start and startEpochNs is moved by as much.
    Trace build(bool rebase = true);

private:
    void rebase();
    void sortIntoRows();
    void linkCalls();
    void sortCounters();
    void orderTracks();
    void measureSpan();

    Trace m_trace;
    std::vector<Event> m_events;
    std::vector<std::uint32_t> m_processes;  // per event, in final order, only while linking
};

}  // namespace overlane
