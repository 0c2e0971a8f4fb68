// NsysTracks: the tracks of an Nsight Systems trace, made as its rows ask for them.
//
// process -> threads; device -> engine -> streams, synchronisation, events. Keeps the builder it
// fills; one thread. Processes get small numbers in order of appearance: Event::process.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>

#include "core/io/nsys_tables.h"
#include "core/trace/trace_builder.h"

namespace overlane
{

class NsysTracks
{
public:
    explicit NsysTracks(TraceBuilder& builder) : m_builder(builder) {}

    // By serialised global id; ids of threads and of their process name the same process.
    std::uint32_t process(std::int64_t globalId);
    TrackId thread(std::int64_t globalTid);
    TrackId stream(std::int64_t device, TrackKind engine, std::int64_t globalPid, std::int64_t stream);
    // A lane of a device that is no engine: "Synchronization", "CUDA events".
    TrackId deviceLane(std::int64_t device, const std::string& name);
    TrackId counter(std::int64_t device, const std::string& name);

    void nameProcess(std::int64_t globalPid, std::string_view name)
    {
        m_processNames[nsysProcessKey(globalPid)] = name;
    }
    void nameThread(std::int64_t globalTid, std::string_view name) { m_threadNames[globalTid] = name; }
    void nameDevice(std::int64_t device, const DeviceInfo& info);

    // Whether a device id from the file can be one at all.
    static bool validDevice(std::int64_t device) { return device >= 0 && device < 4096; }

private:
    struct ProcessEntry {
        std::uint32_t number = 0;
        TrackId track;
    };

    ProcessEntry& processEntry(std::int64_t globalId);
    TrackId deviceTrack(std::int64_t device);

    TraceBuilder& m_builder;
    std::unordered_map<std::int64_t, ProcessEntry> m_processes;  // by process key
    std::unordered_map<std::int64_t, TrackId> m_threads;         // by global tid
    std::unordered_map<std::int64_t, TrackId> m_devices;
    std::map<std::tuple<std::int64_t, TrackKind>, TrackId> m_engines;
    std::map<std::tuple<TrackId, std::uint32_t, std::int64_t>, TrackId> m_streams;
    std::map<std::tuple<std::int64_t, std::string>, TrackId> m_lanes;
    std::map<TrackId, std::uint32_t> m_engineOwners;  // the first process seen on an engine
    std::unordered_map<std::int64_t, std::string> m_processNames;
    std::unordered_map<std::int64_t, std::string> m_threadNames;
    std::unordered_map<std::int64_t, DeviceInfo> m_deviceInfos;
};

}  // namespace overlane
