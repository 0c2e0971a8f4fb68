// KinetoTracks: where an event of a PyTorch or Chrome trace belongs in the tree of tracks.
//
// Host: process -> thread, in the order of HostOrder. Device: see DeviceTracks. Names come from
// metadata events, which may stand anywhere in the file, so they are applied at the end. Borrows
// the builder; one thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/io/device_tracks.h"
#include "core/io/host_order.h"
#include "core/trace/trace_builder.h"

namespace overlane
{

class KinetoTracks
{
public:
    explicit KinetoTracks(TraceBuilder& builder) : m_builder(builder), m_hostOrder(builder), m_deviceTracks(builder) {}

    TrackId process(std::string_view pid);
    TrackId thread(std::string_view pid, std::string_view tid);
    HostOrder& hostOrder() { return m_hostOrder; }
    DeviceTracks& devices() { return m_deviceTracks; }
    // A counter of a process, or of nobody where pid is empty; none past a thousand counters.
    TrackId counter(std::string_view pid, std::string_view name, CounterUnit unit);

    void nameProcess(std::string_view pid, std::string_view name) { m_processNames[std::string(pid)] = name; }
    // As nameProcess() was told; empty where it was not.
    std::string_view processName(std::string_view pid) const;
    void nameThread(std::string_view pid, std::string_view tid, std::string_view name);
    void orderThread(std::string_view pid, std::string_view tid, std::int64_t order);

    // Names what was met; adds a DeviceInfo for each device that has events.
    void finish(const std::vector<DeviceInfo>& known);

private:
    struct ThreadLabel {
        std::string name;
        std::int32_t order = 0;
    };
    static std::string threadKey(std::string_view pid, std::string_view tid);

    TraceBuilder& m_builder;
    HostOrder m_hostOrder;
    DeviceTracks m_deviceTracks;
    std::unordered_map<std::string, TrackId> m_processes;
    std::unordered_map<std::string, TrackId> m_threads;
    std::unordered_map<std::string, TrackId> m_counters;
    std::unordered_map<std::string, std::string> m_processNames;
    std::unordered_map<std::string, ThreadLabel> m_threadLabels;
    std::string m_lastPid, m_lastTid;
    TrackId m_lastThread;
};

}  // namespace overlane
