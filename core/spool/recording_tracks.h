// RecordingTracks: the tracks of a recording, made as its records ask for them.
//
// process -> threads, lanes; GPU -> engine -> streams, waits, CUDA events; gauges. GPUs are joined
// by UUID: each process numbers only those it may see. A GPU keeps the number of the first process
// that names it, unless another GPU has it already. Keeps a reference to the sink; one thread.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "core/spool/spool_format.h"
#include "core/spool/trace_sink.h"
#include "core/trace/track_names.h"

namespace overlane
{

class RecordingTracks
{
public:
    explicit RecordingTracks(TraceSink& sink) : m_sink(sink) {}

    void nameProcess(std::uint32_t pid, std::string_view program);
    void nameThread(std::uint32_t pid, std::uint32_t thread, std::string_view name);
    TrackId process(std::uint32_t pid);
    TrackId thread(std::uint32_t pid, std::uint32_t thread);
    // A thread that is an actor of a loader, at its place among them. Its calls may have come before.
    void makeActor(std::uint32_t pid, std::uint32_t thread, std::int32_t place);
    // Of the sampled stacks of a thread, below it; of those of a loader's worker, below one track for all workers.
    TrackId stacks(std::uint32_t pid, std::uint32_t thread);
    TrackId workerStacks(std::uint32_t pid, std::string_view worker, std::int32_t sortOrder);
    // A lane of a process, by what it is for.
    TrackId lane(std::uint32_t pid, TrackKind kind, std::string_view name, std::int32_t sortOrder, bool bookkeeping);

    // `spool` tells the processes' numbers of devices and streams apart.
    void nameDevice(std::uint32_t spool, const spool::Device& device, std::string_view name);
    void nameDefaultStream(std::uint32_t spool, std::uint32_t context, std::uint32_t stream);
    std::int32_t deviceId(std::uint32_t spool, std::uint32_t device);
    TrackId stream(std::uint32_t spool, std::uint32_t pid, std::uint32_t device, EngineLane engine,
                   std::uint32_t context, std::uint32_t stream);
    // 0 for the first context of a process that works on a device, else the context's own number: streams of further
    // ones have tracks of their own.
    std::uint32_t furtherContext(std::uint32_t spool, std::uint32_t device, std::uint32_t context);
    TrackId deviceLane(std::uint32_t spool, std::uint32_t device, std::string_view name);
    // Of what a process allocated on a device; says whose it is where several do.
    TrackId deviceMemory(std::uint32_t spool, std::uint32_t pid, std::uint32_t device);

    // Ordered by gaugeRank().
    TrackId processCounter(std::uint32_t pid, std::string_view name, CounterUnit unit);
    TrackId deviceCounter(std::int32_t deviceId, std::string_view name, CounterUnit unit);
    TrackId machineCounter(std::string_view name, CounterUnit unit);

private:
    struct ProcessEntry {
        TrackId track;
        std::int32_t order = 0;
        std::string program;
    };
    struct StreamEntry {
        TrackId track;
        std::uint32_t context = 0;
        std::string suffix;  // whose it is, where that needs saying
    };
    using Uuid = std::array<std::uint8_t, 16>;

    TrackId deviceTrack(std::int32_t id);
    std::string streamTitle(std::uint32_t spool, const StreamEntry& entry, std::uint32_t stream) const;
    std::string processTitle(std::uint32_t pid) const;
    std::string threadTitle(std::uint32_t pid, std::uint32_t thread);
    std::int32_t threadOrder(std::uint32_t pid, std::uint32_t thread) const;
    void renameThread(std::uint32_t pid, std::uint32_t thread);
    TrackId counter(TrackId parent, std::string_view name, CounterUnit unit, std::int32_t firstOrder);

    TraceSink& m_sink;
    std::map<std::uint32_t, ProcessEntry> m_processes;
    std::map<std::pair<std::uint32_t, std::uint32_t>, TrackId> m_threads;           // pid, tid
    std::map<std::pair<std::uint32_t, std::uint32_t>, TrackId> m_stacks;            // pid, tid
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> m_threadNames;   // pid, tid
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::int32_t> m_actorPlaces;  // pid, tid
    std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> m_nameOwners;    // pid, name: the first tid
    std::map<std::pair<std::uint32_t, std::string>, TrackId> m_lanes;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::int32_t> m_deviceIds;  // spool, its number
    std::map<Uuid, std::int32_t> m_devicesByUuid;
    std::set<std::int32_t> m_describedDevices;  // whose UUID is known
    std::map<std::int32_t, DeviceInfo> m_devices;
    std::map<std::int32_t, TrackId> m_deviceTracks;
    std::map<std::pair<std::int32_t, EngineLane>, TrackId> m_engines;
    std::map<TrackId, std::uint32_t> m_engineOwners;  // the first spool seen on an engine
    using StreamOfEngine = std::tuple<TrackId, std::uint32_t, std::uint32_t, std::uint32_t>;
    std::map<StreamOfEngine, StreamEntry> m_streams;  // engine, spool, further context, stream
    std::map<std::pair<std::uint32_t, std::int32_t>, std::uint32_t> m_firstContexts;     // spool, device id
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> m_defaultStreams;  // spool, context, stream
    std::map<std::pair<std::int32_t, std::string>, TrackId> m_deviceLanes;
    std::map<std::int32_t, std::uint32_t> m_memoryOwners;  // device: the first spool that allocated on it
    std::map<std::pair<TrackId, std::string>, TrackId> m_counters;
    TrackId m_machine;
};

}  // namespace overlane
