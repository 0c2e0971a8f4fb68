#include "core/io/nsys_tracks.h"

namespace overlane
{
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
        const std::string name = named == m_processNames.end() ? "process" : named->second;
        process.track = m_builder.addTrack({}, TrackKind::Process, name + " (" + std::to_string(pid) + ")", -1, pid);
        m_hostOrder.addProcess(process.track);
    }
    const std::int64_t tid = nsysTid(globalTid);
    const auto named = m_threadNames.find(globalTid);
    const std::string name = named == m_threadNames.end() ? "thread" : named->second;
    entry->second =
        m_builder.addTrack(process.track, TrackKind::Thread, name + " (" + std::to_string(tid) + ")", -1, tid);
    m_hostOrder.addThread(process.track, entry->second, tid == pid);
    return entry->second;
}

TrackId NsysTracks::stream(std::int64_t device, EngineLane engine, std::int64_t globalPid, std::int64_t context,
                           std::int64_t stream)
{
    const std::uint32_t owner = process(globalPid);
    const std::int32_t number = gpu(device, globalPid);
    m_streamDevices.try_emplace({owner, context, stream}, number);
    m_processDevices[owner].insert(number);
    return m_devices.stream(number, engine, stream, owner, nsysPid(globalPid), context);
}

TrackId NsysTracks::syncCalls(std::int64_t device, std::int64_t globalPid, std::int64_t context, std::int64_t stream)
{
    const std::uint32_t owner = process(globalPid);
    const auto byStream = m_streamDevices.find({owner, context, stream});
    const auto byProcess = m_processDevices.find(owner);
    std::int32_t number = gpu(device, globalPid);
    if (byStream != m_streamDevices.end())
        number = byStream->second;
    else if (byProcess != m_processDevices.end() && byProcess->second.size() == 1)
        number = *byProcess->second.begin();
    return m_devices.syncCalls(number, stream, owner, context);
}

std::int32_t NsysTracks::gpu(std::int64_t device, std::int64_t globalPid) const
{
    const auto mapped = m_gpus.find({nsysPid(globalPid), device});
    const bool known = mapped != m_gpus.end() && validDevice(mapped->second);
    return static_cast<std::int32_t>(known ? mapped->second : device);
}

void NsysTracks::mapDevice(std::int64_t pid, std::int64_t device, std::int64_t gpu)
{
    constexpr std::int64_t kContradiction = -1;
    const auto [entry, isNew] = m_gpus.try_emplace({pid, device}, gpu);
    if (!isNew && entry->second != gpu)
        entry->second = kContradiction;
}

void NsysTracks::nameDevice(std::int64_t device, const DeviceInfo& info)
{
    m_deviceInfos.insert_or_assign(device, info);
}

void NsysTracks::finish()
{
    std::vector<DeviceInfo> known;
    for (const auto& [device, info] : m_deviceInfos) {
        known.push_back(info);
        known.back().id = validDevice(device) ? static_cast<std::int32_t>(device) : -1;
    }
    m_hostOrder.finish();
    m_devices.finish(known);
}

}  // namespace overlane
