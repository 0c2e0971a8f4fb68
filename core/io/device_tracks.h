// DeviceTracks: the tracks of the GPUs of a trace that is being imported, made as events ask for them.
//
// device -> engines -> streams, and below the engines the bookkeeping lanes (annotations, sync calls).
// Wording and order are those of core/trace/track_names.h. Borrows the builder; one thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/trace/trace_builder.h"
#include "core/trace/track_names.h"

namespace overlane
{

class DeviceTracks
{
public:
    explicit DeviceTracks(TraceBuilder& builder) : m_builder(builder) {}

    // A negative stream is the whole device. `owner` keeps streams of several processes apart that
    // carry one number, and `context` those of several contexts of one owner on a device (0: not known); all but the
    // first owner of an engine are named with `ownerPid`, all but the first context with its number.
    TrackId stream(std::int32_t device, EngineLane engine, std::int64_t stream, std::uint32_t owner = 0,
                   std::int64_t ownerPid = 0, std::int64_t context = 0);
    // Ranges of the host as the profiler repeats them on the device.
    TrackId annotations(std::int32_t device);
    // Host time in calls that wait for a stream (negative: for the whole device).
    TrackId syncCalls(std::int32_t device, std::int64_t stream, std::uint32_t owner = 0, std::int64_t context = 0);
    // Another bookkeeping lane, by its name.
    TrackId lane(std::int32_t device, const std::string& name);
    TrackId counter(std::int32_t device, const std::string& name);

    // Names the devices that were met and adds a DeviceInfo for each.
    void finish(const std::vector<DeviceInfo>& known);

private:
    TrackId device(std::int32_t id);
    TrackId bookkeepingLane(std::int32_t device, TrackKind kind, const std::string& name);
    TrackId streamBelow(TrackId parent, std::int32_t device, std::int64_t stream, std::uint32_t owner,
                        std::int64_t ownerPid, std::int64_t furtherContext);
    std::int64_t furtherContext(std::int32_t device, std::uint32_t owner, std::int64_t context);

    TraceBuilder& m_builder;
    std::map<std::int32_t, TrackId> m_devices;
    std::map<std::pair<std::int32_t, EngineLane>, TrackId> m_engines;
    std::map<std::pair<std::int32_t, std::string>, TrackId> m_lanes;
    using StreamBelow = std::tuple<TrackId, std::uint32_t, std::int64_t, std::int64_t>;
    std::map<StreamBelow, TrackId> m_streams;                                        // parent, owner, context, stream
    std::map<std::pair<std::int32_t, std::uint32_t>, std::int64_t> m_firstContexts;  // by device and owner
    std::map<TrackId, std::uint32_t> m_firstOwners;
};

}  // namespace overlane
