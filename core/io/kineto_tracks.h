// KinetoTracks: where an event of a PyTorch or Chrome trace belongs in the tree of tracks.
//
// Host: process -> thread. Device: engines -> streams, annotations, waits. Names come from
// metadata events, which may stand anywhere in the file, so they are applied at the end. Borrows
// the builder; one thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/trace/trace_builder.h"

namespace overlane
{

class KinetoTracks
{
public:
    explicit KinetoTracks(TraceBuilder& builder) : m_builder(builder) {}

    TrackId process(std::string_view pid);
    TrackId thread(std::string_view pid, std::string_view tid);
    TrackId stream(std::int32_t device, TrackKind engine, std::int64_t stream);
    TrackId annotations(std::int32_t device);
    // Waits on a stream; -1 = on the whole device.
    TrackId waits(std::int32_t device, std::int64_t stream);
    // A counter of a process, or of nobody where pid is empty; none past a thousand counters.
    TrackId counter(std::string_view pid, std::string_view name, CounterUnit unit);

    void nameProcess(std::string_view pid, std::string_view name) { m_processNames[std::string(pid)] = name; }
    void nameThread(std::string_view pid, std::string_view tid, std::string_view name);
    void orderThread(std::string_view pid, std::string_view tid, std::int64_t order);

    // Names what was met; adds a DeviceInfo for each device that has events.
    void finish(const std::vector<DeviceInfo>& known);

private:
    struct ThreadLabel {
        std::string name;
        std::int32_t order = 0;
    };
    TrackId device(std::int32_t id);
    static std::string threadKey(std::string_view pid, std::string_view tid);

    TraceBuilder& m_builder;
    std::unordered_map<std::string, TrackId> m_processes;
    std::unordered_map<std::string, TrackId> m_threads;
    std::map<std::int32_t, TrackId> m_devices;
    std::map<std::pair<TrackId, std::int64_t>, TrackId> m_streams;
    std::map<std::pair<std::int32_t, TrackKind>, TrackId> m_engines;
    std::unordered_map<std::string, TrackId> m_counters;
    std::unordered_map<std::string, std::string> m_processNames;
    std::unordered_map<std::string, ThreadLabel> m_threadLabels;
    std::string m_lastPid, m_lastTid;
    TrackId m_lastThread;
};

}  // namespace overlane
