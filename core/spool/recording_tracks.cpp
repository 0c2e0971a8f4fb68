#include "core/spool/recording_tracks.h"

#include <algorithm>

#include "core/trace/counter_names.h"

namespace overlane
{
namespace
{

constexpr std::int32_t kCounterOrder = kBookkeepingTrackOrder - 1000;  // gauges last, but for bookkeeping
constexpr std::size_t kLongestThreadName = 15;                         // that Linux keeps
constexpr std::int32_t kMainThreadOrder = -1;                          // above the other threads
constexpr std::int32_t kFirstActorOrder = -100'000;                    // the loader above everything
constexpr std::int32_t kWorkerStacksOrder = 5000;                      // below the workers and the other lanes
constexpr std::int32_t kMachineOrder = 2 * kDeviceTrackOrder - 1;      // the machine below its GPUs

}  // namespace

std::string RecordingTracks::processTitle(std::uint32_t pid) const
{
    const std::string& program = m_processes.at(pid).program;
    return (program.empty() ? "Process" : program) + " (" + std::to_string(pid) + ")";
}

void RecordingTracks::nameProcess(std::uint32_t pid, std::string_view program)
{
    const TrackId track = process(pid);
    ProcessEntry& entry = m_processes[pid];
    if (program.empty() || entry.program == program)
        return;
    entry.program = program;
    m_sink.renameTrack(track, processTitle(pid), entry.order);
    renameThread(pid, pid);
}

TrackId RecordingTracks::process(std::uint32_t pid)
{
    const auto [entry, isNew] = m_processes.try_emplace(pid);
    if (isNew) {
        entry->second.order = static_cast<std::int32_t>(m_processes.size());
        entry->second.track = m_sink.addTrack({}, TrackKind::Process, processTitle(pid), -1, pid, entry->second.order);
    }
    return entry->second.track;
}

void RecordingTracks::nameThread(std::uint32_t pid, std::uint32_t thread, std::string_view name)
{
    std::string& known = m_threadNames[{pid, thread}];
    if (known == name)
        return;
    known = name;
    renameThread(pid, thread);
}

// A new thread has the name of the one that started it until it gets its own: that says nothing.
std::string RecordingTracks::threadTitle(std::uint32_t pid, std::uint32_t thread)
{
    const auto named = m_threadNames.find({pid, thread});
    const std::string& program = m_processes.at(pid).program;
    std::string name = named == m_threadNames.end() ? std::string() : named->second;
    if (name == program.substr(0, kLongestThreadName))
        name.clear();
    if (name.empty() && thread == pid)
        return (program.empty() ? "" : program + " ") + "main";
    if (name.empty())
        return "thread " + std::to_string(thread);
    const bool isFirst = m_nameOwners.try_emplace({pid, name}, thread).first->second == thread;
    return isFirst ? name : name + " " + std::to_string(thread);
}

std::int32_t RecordingTracks::threadOrder(std::uint32_t pid, std::uint32_t thread) const
{
    if (const auto place = m_actorPlaces.find({pid, thread}); place != m_actorPlaces.end())
        return kFirstActorOrder + place->second;
    return thread == pid ? kMainThreadOrder : 0;
}

void RecordingTracks::makeActor(std::uint32_t pid, std::uint32_t thread, std::int32_t place)
{
    m_actorPlaces[{pid, thread}] = place;
    if (const auto track = m_threads.find({pid, thread}); track != m_threads.end())
        m_sink.setTrackKind(track->second, TrackKind::LoaderActor);
    renameThread(pid, thread);
}

void RecordingTracks::renameThread(std::uint32_t pid, std::uint32_t thread)
{
    if (const auto track = m_threads.find({pid, thread}); track != m_threads.end())
        m_sink.renameTrack(track->second, threadTitle(pid, thread), threadOrder(pid, thread));
    if (const auto track = m_stacks.find({pid, thread}); track != m_stacks.end())
        m_sink.renameTrack(track->second, stacksTrackName(threadTitle(pid, thread)), threadOrder(pid, thread));
}

TrackId RecordingTracks::stacks(std::uint32_t pid, std::uint32_t thread)
{
    const auto [entry, isNew] = m_stacks.try_emplace({pid, thread});
    if (isNew) {
        const TrackId parent = process(pid);
        entry->second = m_sink.addTrack(parent, TrackKind::Stacks, stacksTrackName(threadTitle(pid, thread)), -1,
                                        thread, threadOrder(pid, thread));
    }
    return entry->second;
}

TrackId RecordingTracks::workerStacks(std::uint32_t pid, std::string_view worker, std::int32_t sortOrder)
{
    const TrackId all = lane(pid, TrackKind::Stacks, kWorkerStacksTrackName, kWorkerStacksOrder, false);
    const auto [entry, isNew] = m_lanes.try_emplace({pid, stacksTrackName(worker)});
    if (isNew)
        entry->second = m_sink.addTrack(all, TrackKind::Stacks, stacksTrackName(worker), -1, 0, sortOrder);
    return entry->second;
}

TrackId RecordingTracks::thread(std::uint32_t pid, std::uint32_t thread)
{
    const auto [entry, isNew] = m_threads.try_emplace({pid, thread});
    if (isNew) {
        const TrackId parent = process(pid);
        const bool isActor = m_actorPlaces.contains({pid, thread});
        entry->second = m_sink.addTrack(parent, isActor ? TrackKind::LoaderActor : TrackKind::Thread,
                                        threadTitle(pid, thread), -1, thread, threadOrder(pid, thread));
    }
    return entry->second;
}

TrackId RecordingTracks::lane(std::uint32_t pid, TrackKind kind, std::string_view name, std::int32_t sortOrder,
                              bool bookkeeping)
{
    const auto [entry, isNew] = m_lanes.try_emplace({pid, std::string(name)});
    if (isNew) {
        entry->second =
            m_sink.addTrack(process(pid), kind, name, -1, 0, (bookkeeping ? kBookkeepingTrackOrder : 0) + sortOrder);
        if (bookkeeping)
            m_sink.markBookkeeping(entry->second);
    }
    return entry->second;
}

void RecordingTracks::nameDevice(std::uint32_t spool, const spool::Device& device, std::string_view name)
{
    Uuid uuid{};
    std::copy(std::begin(device.uuid), std::end(device.uuid), uuid.begin());
    std::int32_t id = deviceId(spool, device.id);
    const auto known = m_devicesByUuid.find(uuid);
    if (known != m_devicesByUuid.end()) {
        id = known->second;
    } else {
        // Its number is taken where another GPU has it.
        while (m_describedDevices.contains(id))
            ++id;
        m_devicesByUuid[uuid] = id;
        m_describedDevices.insert(id);
    }
    m_deviceIds[{spool, device.id}] = id;
    DeviceInfo& info = m_devices[id];
    info.id = id;
    if (!name.empty())
        info.name = name;
    info.memoryBytes = std::max(info.memoryBytes, static_cast<std::int64_t>(device.memoryBytes));
    info.linkBytesPerSecond = std::max(info.linkBytesPerSecond, device.linkBytesPerSecond);
    if (const auto track = m_deviceTracks.find(id); track != m_deviceTracks.end()) {
        m_sink.addDevice(info);
        m_sink.renameTrack(track->second, deviceTrackName(id, info.name), kDeviceTrackOrder + id);
    }
}

std::int32_t RecordingTracks::deviceId(std::uint32_t spool, std::uint32_t device)
{
    const auto [entry, isNew] = m_deviceIds.try_emplace({spool, device}, static_cast<std::int32_t>(device));
    if (isNew)
        m_devices.try_emplace(entry->second).first->second.id = entry->second;
    return entry->second;
}

TrackId RecordingTracks::deviceTrack(std::int32_t id)
{
    const auto [entry, isNew] = m_deviceTracks.try_emplace(id);
    if (isNew) {
        const DeviceInfo& info = m_devices[id];
        m_sink.addDevice(info);
        entry->second =
            m_sink.addTrack({}, TrackKind::Device, deviceTrackName(id, info.name), id, id, kDeviceTrackOrder + id);
    }
    return entry->second;
}

std::uint32_t RecordingTracks::furtherContext(std::uint32_t spool, std::uint32_t device, std::uint32_t context)
{
    if (context == 0)
        return 0;
    const std::uint32_t first = m_firstContexts.try_emplace({spool, deviceId(spool, device)}, context).first->second;
    return first == context ? 0 : context;
}

TrackId RecordingTracks::stream(std::uint32_t spool, std::uint32_t pid, std::uint32_t device, EngineLane engine,
                                std::uint32_t context, std::uint32_t stream)
{
    const std::int32_t id = deviceId(spool, device);
    const auto [lane, isNew] = m_engines.try_emplace({id, engine});
    if (isNew)
        lane->second = m_sink.addTrack(deviceTrack(id), engineTrackKind(engine), engineTrackName(engine), id, 0,
                                       static_cast<std::int32_t>(engine));
    const std::uint32_t firstOwner = m_engineOwners.try_emplace(lane->second, spool).first->second;
    const std::uint32_t further = furtherContext(spool, device, context);
    const auto [leaf, isNewStream] = m_streams.try_emplace({lane->second, spool, further, stream});
    StreamEntry& entry = leaf->second;
    if (isNewStream) {
        entry.context = context;
        entry.suffix = contextSuffix(further);
        if (spool != firstOwner)
            entry.suffix += " of process " + std::to_string(pid);
        entry.track = m_sink.addTrack(lane->second, TrackKind::Stream, streamTitle(spool, entry, stream), id, stream,
                                      static_cast<std::int32_t>(stream));
    }
    return entry.track;
}

std::string RecordingTracks::streamTitle(std::uint32_t spool, const StreamEntry& entry, std::uint32_t stream) const
{
    const bool isDefault = m_defaultStreams.contains({spool, entry.context, stream});
    return streamTrackName(stream) + (isDefault ? " (default)" : "") + entry.suffix;
}

void RecordingTracks::nameDefaultStream(std::uint32_t spool, std::uint32_t context, std::uint32_t stream)
{
    if (!m_defaultStreams.insert({spool, context, stream}).second)
        return;
    for (const auto& [key, engine] : m_engines) {
        const auto first = m_firstContexts.find({spool, key.first});
        const bool isFirst = first != m_firstContexts.end() && first->second == context;
        const auto entry = m_streams.find({engine, spool, isFirst ? 0 : context, stream});
        if (entry != m_streams.end())
            m_sink.renameTrack(entry->second.track, streamTitle(spool, entry->second, stream),
                               static_cast<std::int32_t>(stream));
    }
}

TrackId RecordingTracks::deviceLane(std::uint32_t spool, std::uint32_t device, std::string_view name)
{
    const std::int32_t id = deviceId(spool, device);
    const auto [entry, isNew] = m_deviceLanes.try_emplace({id, std::string(name)});
    if (isNew) {
        entry->second = m_sink.addTrack(deviceTrack(id), TrackKind::Group, name, id, 0, kBookkeepingTrackOrder);
        m_sink.markBookkeeping(entry->second);
    }
    return entry->second;
}

TrackId RecordingTracks::deviceMemory(std::uint32_t spool, std::uint32_t pid, std::uint32_t device)
{
    const std::int32_t id = deviceId(spool, device);
    const bool isFirst = m_memoryOwners.try_emplace(id, spool).first->second == spool;
    std::string name(kDeviceMemoryCounter);
    if (!isFirst)
        name += " by process " + std::to_string(pid);
    return deviceCounter(id, name, CounterUnit::Bytes);
}

TrackId RecordingTracks::counter(TrackId parent, std::string_view name, CounterUnit unit, std::int32_t firstOrder)
{
    const auto [entry, isNew] = m_counters.try_emplace({parent, std::string(name)});
    if (isNew)
        entry->second = m_sink.addCounter(parent, name, unit, firstOrder + gaugeRank(name));
    return entry->second;
}

TrackId RecordingTracks::processCounter(std::uint32_t pid, std::string_view name, CounterUnit unit)
{
    return counter(process(pid), name, unit, kCounterOrder);
}

TrackId RecordingTracks::deviceCounter(std::int32_t id, std::string_view name, CounterUnit unit)
{
    m_devices.try_emplace(id).first->second.id = id;
    return counter(deviceTrack(id), name, unit, kCounterOrder);
}

TrackId RecordingTracks::machineCounter(std::string_view name, CounterUnit unit)
{
    if (!m_machine.valid())
        m_machine = m_sink.addTrack({}, TrackKind::Group, "Machine", -1, 0, kMachineOrder);
    return counter(m_machine, name, unit, 0);
}

}  // namespace overlane
