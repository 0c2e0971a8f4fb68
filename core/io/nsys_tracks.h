// NsysTracks: the tracks of an Nsight Systems trace, made as its rows ask for them.
//
// process -> threads, in the order of HostOrder; devices: see DeviceTracks. Keeps the builder it
// fills; one thread. Processes get small numbers in order of appearance: Event::process.
//
// Rows name a device by the number that their process knows it by, which CUDA_VISIBLE_DEVICES
// changes from process to process. Where the file says which GPU that is (mapDevice()), tracks go
// by the GPU; elsewhere the number is taken as it stands.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>

#include "core/io/device_tracks.h"
#include "core/io/host_order.h"
#include "core/io/nsys_tables.h"
#include "core/trace/trace_builder.h"

namespace overlane
{

class NsysTracks
{
public:
    explicit NsysTracks(TraceBuilder& builder) : m_builder(builder), m_hostOrder(builder), m_devices(builder) {}

    // By serialized global id; ids of threads and of their process name the same process.
    std::uint32_t process(std::int64_t globalId);
    TrackId thread(std::int64_t globalTid);
    TrackId stream(std::int64_t device, EngineLane engine, std::int64_t globalPid, std::int64_t context,
                   std::int64_t stream);
    // Host time in sync calls. Nsight Systems files the rows of every process under device 0, so the
    // device is the one on which the process used the stream, or else its only one.
    TrackId syncCalls(std::int64_t device, std::int64_t globalPid, std::int64_t context, std::int64_t stream);
    // The GPU that a process calls `device`.
    std::int32_t gpu(std::int64_t device, std::int64_t globalPid) const;
    HostOrder& hostOrder() { return m_hostOrder; }
    DeviceTracks& devices() { return m_devices; }

    void nameProcess(std::int64_t globalPid, std::string_view name)
    {
        m_processNames[nsysProcessKey(globalPid)] = name;
    }
    void nameThread(std::int64_t globalTid, std::string_view name) { m_threadNames[globalTid] = name; }
    void nameDevice(std::int64_t device, const DeviceInfo& info);
    // Process `pid` calls GPU `gpu` by `device`. The file has pids without their node here: where two
    // nodes contradict each other, the number is taken as it stands.
    void mapDevice(std::int64_t pid, std::int64_t device, std::int64_t gpu);
    // Orders and names what was met; after the last event.
    void finish();

    // Whether a device id from the file can be one at all.
    static bool validDevice(std::int64_t device) { return device >= 0 && device < 4096; }

private:
    struct ProcessEntry {
        std::uint32_t number = 0;
        TrackId track;
    };

    ProcessEntry& processEntry(std::int64_t globalId);

    TraceBuilder& m_builder;
    HostOrder m_hostOrder;
    DeviceTracks m_devices;
    std::unordered_map<std::int64_t, ProcessEntry> m_processes;  // by process key
    std::unordered_map<std::int64_t, TrackId> m_threads;         // by global tid
    // Where the GPU work of a process ran: by context and stream, and all devices together.
    std::map<std::tuple<std::uint32_t, std::int64_t, std::int64_t>, std::int32_t> m_streamDevices;
    std::map<std::uint32_t, std::set<std::int32_t>> m_processDevices;
    std::unordered_map<std::int64_t, std::string> m_processNames;
    std::unordered_map<std::int64_t, std::string> m_threadNames;
    std::map<std::int64_t, DeviceInfo> m_deviceInfos;
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> m_gpus;  // by pid and device number
};

}  // namespace overlane
