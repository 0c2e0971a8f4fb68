#include "core/io/nsys_tracks.h"

namespace overlane
{
namespace
{

constexpr std::int32_t kFirstDeviceOrder = 1'000'000;  // devices below all processes

const char* engineName(TrackKind engine)
{
    switch (engine) {
        case TrackKind::EngineH2D:
            return "H2D copies";
        case TrackKind::EngineD2H:
            return "D2H copies";
        case TrackKind::EnginePeer:
            return "D2D and peer copies";
        default:
            return "Compute";
    }
}

}  // namespace

NsysTracks::ProcessEntry& NsysTracks::processEntry(std::int64_t globalId)
{
    const std::int64_t key = nsysProcessKey(globalId);
    const auto [entry, isNew] = m_processes.try_emplace(key);
    if (isNew)
        entry->second.number = static_cast<std::uint32_t>(m_processes.size());
    return entry->second;
}

std::uint32_t NsysTracks::process(std::int64_t globalId)
{
    return processEntry(globalId).number;
}

TrackId NsysTracks::thread(std::int64_t globalTid)
{
    const auto [entry, isNew] = m_threads.try_emplace(globalTid);
    if (!isNew)
        return entry->second;
    ProcessEntry& process = processEntry(globalTid);
    const std::int64_t pid = nsysPid(globalTid);
    if (!process.track.valid()) {
        const auto named = m_processNames.find(nsysProcessKey(globalTid));
        const std::string name = named == m_processNames.end() ? "Process" : named->second;
        process.track = m_builder.addTrack({}, TrackKind::Process, name + " (" + std::to_string(pid) + ")", -1, pid,
                                           static_cast<std::int32_t>(process.number));
    }
    const std::int64_t tid = nsysTid(globalTid);
    const auto named = m_threadNames.find(globalTid);
    const std::string name = named == m_threadNames.end() ? "Thread" : named->second;
    return entry->second =
               m_builder.addTrack(process.track, TrackKind::Thread, name + " (" + std::to_string(tid) + ")", -1, tid);
}

TrackId NsysTracks::deviceTrack(std::int64_t device)
{
    const auto [entry, isNew] = m_devices.try_emplace(device);
    if (!isNew)
        return entry->second;
    const auto known = m_deviceInfos.find(device);
    DeviceInfo info = known == m_deviceInfos.end() ? DeviceInfo{} : known->second;
    info.id = static_cast<std::int32_t>(device);
    m_builder.addDevice(info);
    const std::string name = "GPU " + std::to_string(device) + (info.name.empty() ? "" : ": " + info.name);
    return entry->second = m_builder.addTrack({}, TrackKind::Device, name, info.id, device,
                                              kFirstDeviceOrder + static_cast<std::int32_t>(device));
}

TrackId NsysTracks::stream(std::int64_t device, TrackKind engine, std::int64_t globalPid, std::int64_t stream)
{
    const auto deviceId = static_cast<std::int32_t>(device);
    const auto [lane, isNew] = m_engines.try_emplace({device, engine});
    if (isNew)
        lane->second = m_builder.addTrack(deviceTrack(device), engine, engineName(engine), deviceId, 0,
                                          static_cast<std::int32_t>(engine));
    const std::uint32_t owner = process(globalPid);
    const std::uint32_t firstOwner = m_engineOwners.try_emplace(lane->second, owner).first->second;
    const auto [leaf, isNewStream] = m_streams.try_emplace({lane->second, owner, stream});
    if (isNewStream) {
        std::string name = "Stream " + std::to_string(stream);
        if (owner != firstOwner)
            name += " of process " + std::to_string(nsysPid(globalPid));
        leaf->second = m_builder.addTrack(lane->second, TrackKind::Stream, name, deviceId, stream,
                                          static_cast<std::int32_t>(m_streams.size()));
    }
    return leaf->second;
}

TrackId NsysTracks::deviceLane(std::int64_t device, const std::string& name)
{
    constexpr std::int32_t kBelowEngines = 100;
    const auto [lane, isNew] = m_lanes.try_emplace({device, name});
    if (isNew)
        lane->second = m_builder.addTrack(deviceTrack(device), TrackKind::Group, name,
                                          static_cast<std::int32_t>(device), 0, kBelowEngines);
    return lane->second;
}

TrackId NsysTracks::counter(std::int64_t device, const std::string& name)
{
    constexpr std::int32_t kBelowLanes = 200;
    const auto [lane, isNew] = m_lanes.try_emplace({device, name});
    if (isNew)
        lane->second = m_builder.addCounter(deviceTrack(device), name, CounterUnit::Bytes, kBelowLanes);
    return lane->second;
}

void NsysTracks::nameDevice(std::int64_t device, const DeviceInfo& info)
{
    m_deviceInfos.insert_or_assign(device, info);
}

}  // namespace overlane
