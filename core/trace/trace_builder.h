// TraceBuilder: takes events in any order and makes an immutable Trace of them.
//
// Owns what it is given until build(). One thread. Bad events are counted, never fatal:
// negative durations, times decades off and impossible sizes are skipped with a reason, so that sums of
// times and of sizes over a trace hold in 64 bits. Names of every kind are kept
// as text that may be shown anywhere (core/base/printable_text.h).
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/progress.h"
#include "core/trace/trace.h"

namespace overlane
{

class TraceBuilder
{
public:
    // Parents must exist before their children. Returns the id of the new track.
    TrackId addTrack(TrackId parent, TrackKind kind, std::string_view name, std::int32_t device = -1,
                     std::int64_t nativeId = 0, std::int32_t sortOrder = 0);
    void renameTrack(TrackId track, std::string_view name, std::int32_t sortOrder);
    void setTrackOrder(TrackId track, std::int32_t sortOrder);
    void setTrackKind(TrackId track, TrackKind kind);  // of what turns out to be another than it seemed
    void markBookkeeping(TrackId track);

    StringId intern(std::string_view text);
    std::string_view text(StringId id) const { return m_trace.m_strings.view(id); }
    void reserve(std::size_t events);

    // False where the event was counted as skipped instead. `collective` is for communication kernels; sizes that no
    // memory has count as unknown.
    bool addEvent(const Event& event, const CollectiveInfo* collective = nullptr);
    std::size_t eventCount() const { return m_events.size(); }

    // A counter is a track of kind Counter. Samples may come in any order.
    TrackId addCounter(TrackId parent, std::string_view name, CounterUnit unit, std::int32_t sortOrder = 0);
    void addSample(TrackId counter, std::int64_t timeNs, double value);

    void addDevice(const DeviceInfo& device);  // a second one with the same id replaces the first
    ImportStats& stats() { return m_trace.m_stats; }
    TraceMetadata& metadata() { return m_trace.m_metadata; }

    // Sorts, lays out rows, links calls to GPU work, and empties the builder. With `rebase`, t = 0
    // becomes the first event's start and startEpochNs is moved by as much. A cancel of `progress` is
    // noticed within some thousands of events; the trace is then empty.
    Trace build(bool rebase = true, const Progress* progress = nullptr);

private:
    void rebase();
    void sortIntoRows();
    void linkCalls();
    void sortCounters();
    void orderTracks();
    void measureSpan();
    void cleanMetadata();
    bool cancelled() const { return m_progress != nullptr && m_progress->cancelled(); }

    Trace m_trace;
    std::vector<Event> m_events;
    std::vector<std::pair<std::uint32_t, CollectiveInfo>> m_collectives;  // by place in m_events, ascending
    std::int64_t m_totalNs = 0;                                           // of all events
    std::int64_t m_totalBytes = 0;                                        // of all copies
    std::vector<std::uint32_t> m_processes;                      // per event, in final order, only while linking
    std::vector<std::uint32_t> m_counterOfTrack;                 // place in the trace's counters + 1; 0 = none
    std::unordered_map<std::int32_t, std::size_t> m_deviceOfId;  // place in the trace's devices
    const Progress* m_progress = nullptr;                        // only in build()
};

}  // namespace overlane
