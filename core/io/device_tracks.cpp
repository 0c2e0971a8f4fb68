#include "core/io/device_tracks.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace overlane
{
namespace
{

std::int32_t orderOf(std::int64_t number)
{
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(number, -1, std::numeric_limits<std::int32_t>::max()));
}

}  // namespace

TrackId DeviceTracks::device(std::int32_t id)
{
    const auto [entry, isNew] = m_devices.try_emplace(id);
    if (isNew)
        entry->second = m_builder.addTrack({}, TrackKind::Device, deviceTrackName(id, {}), id, id,
                                           kDeviceTrackOrder + std::clamp(id, 0, kTrackOrderStep - 1));
    return entry->second;
}

TrackId DeviceTracks::streamBelow(TrackId parent, std::int32_t device, std::int64_t stream, std::uint32_t owner,
                                  std::int64_t ownerPid, std::int64_t furtherContext)
{
    const auto [entry, isNew] = m_streams.try_emplace({parent, owner, furtherContext, stream});
    if (isNew) {
        std::string name = streamTrackName(stream) + contextSuffix(furtherContext);
        if (owner != m_firstOwners.try_emplace(parent, owner).first->second)
            name += " of process " + std::to_string(ownerPid);
        entry->second = m_builder.addTrack(parent, TrackKind::Stream, name, device, stream, orderOf(stream));
    }
    return entry->second;
}

// 0 for the first context of an owner on a device, and for one that is not known.
std::int64_t DeviceTracks::furtherContext(std::int32_t device, std::uint32_t owner, std::int64_t context)
{
    if (context == 0)
        return 0;
    return m_firstContexts.try_emplace({device, owner}, context).first->second == context ? 0 : context;
}

TrackId DeviceTracks::stream(std::int32_t deviceId, EngineLane engine, std::int64_t stream, std::uint32_t owner,
                             std::int64_t ownerPid, std::int64_t context)
{
    const auto [lane, isNew] = m_engines.try_emplace({deviceId, engine});
    if (isNew)
        lane->second = m_builder.addTrack(device(deviceId), engineTrackKind(engine), engineTrackName(engine), deviceId,
                                          0, static_cast<std::int32_t>(engine));
    return streamBelow(lane->second, deviceId, stream, owner, ownerPid, furtherContext(deviceId, owner, context));
}

TrackId DeviceTracks::bookkeepingLane(std::int32_t deviceId, TrackKind kind, const std::string& name)
{
    const auto [lane, isNew] = m_lanes.try_emplace({deviceId, name});
    if (isNew) {
        lane->second = m_builder.addTrack(device(deviceId), kind, name, deviceId, 0, kBookkeepingTrackOrder);
        m_builder.markBookkeeping(lane->second);
    }
    return lane->second;
}

TrackId DeviceTracks::annotations(std::int32_t device)
{
    return bookkeepingLane(device, TrackKind::Annotations, "annotations");
}

TrackId DeviceTracks::syncCalls(std::int32_t device, std::int64_t stream, std::uint32_t owner, std::int64_t context)
{
    return streamBelow(lane(device, "sync calls"), device, stream, 0, 0, furtherContext(device, owner, context));
}

TrackId DeviceTracks::lane(std::int32_t device, const std::string& name)
{
    return bookkeepingLane(device, TrackKind::Group, name);
}

TrackId DeviceTracks::counter(std::int32_t deviceId, const std::string& name)
{
    const auto [lane, isNew] = m_lanes.try_emplace({deviceId, name});
    if (isNew)
        lane->second = m_builder.addCounter(device(deviceId), name, CounterUnit::Bytes, kCounterTrackOrder);
    return lane->second;
}

void DeviceTracks::finish(const std::vector<DeviceInfo>& known)
{
    std::unordered_map<std::int32_t, const DeviceInfo*> described;
    for (const DeviceInfo& device : known)
        described.try_emplace(device.id, &device);  // the first one counts
    for (const auto& [id, track] : m_devices) {
        DeviceInfo info;
        if (const auto found = described.find(id); found != described.end())
            info = *found->second;
        info.id = id;
        m_builder.renameTrack(track, deviceTrackName(id, info.name),
                              kDeviceTrackOrder + std::clamp(id, 0, kTrackOrderStep - 1));
        m_builder.addDevice(info);
    }
}

}  // namespace overlane
