#include "core/analysis/device_activity.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include "core/analysis/device_activity_builder.h"
#include "core/analysis/gpu_link.h"
#include "core/analysis/pageable_memory.h"
#include "core/analysis/stream_owners.h"
#include "core/trace/track_names.h"

namespace overlane
{
namespace
{

// "Stream 7 waits for event 3" names its stream, and its context where that is not the first; otherwise the row lies
// on the stream's own track.
StreamKey waitingStream(TrackId process, std::string_view name, const Track& track)
{
    constexpr std::string_view kPrefix = "Stream ";
    StreamKey stream{process, track.nativeId, contextOfName(track.name)};
    const char* const end = name.data() + name.size();
    if (name.starts_with(kPrefix) &&
        std::from_chars(name.data() + kPrefix.size(), end, stream.number).ec == std::errc())
        stream.context = contextOfName(name);
    return stream;
}

// "Stream Wait Event" and "Stream 7 waits for event 3" on the rows of a device; the host's own waits
// are named otherwise.
bool saysThatAStreamWaits(std::string_view name)
{
    return name.starts_with("Stream") &&
           (name.find("Wait") != std::string_view::npos || name.find("wait") != std::string_view::npos);
}

}  // namespace

JudgedDevices judgedDevices(const Trace& trace, const WorkMeter& work)
{
    std::map<std::int32_t, std::size_t> sizes;
    for (const Track& track : trace.tracks()) {
        std::size_t size = 0;
        for (std::uint32_t at = track.events.first; at < track.events.last; ++at) {
            work.count();
            size += isDeviceWork(trace.kind(EventIndex(at)));
        }
        if (size > 0)
            sizes[track.device] += size;
    }
    std::vector<std::pair<std::int32_t, std::size_t>> bySize(sizes.begin(), sizes.end());
    const std::size_t kept = std::min(bySize.size(), kMostDevices);
    std::stable_sort(bySize.begin(), bySize.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    JudgedDevices judged;
    judged.leftOut = bySize.size() - kept;
    for (std::size_t at = 0; at < kept; ++at)
        judged.ids.push_back(bySize[at].first);
    std::sort(judged.ids.begin(), judged.ids.end());
    return judged;
}

std::vector<DeviceActivity> deviceActivities(const Trace& trace, const JudgedDevices& judged, const WorkMeter& work)
{
    std::vector<DeviceActivity> activities(judged.ids.size());
    const auto placeOf = [&](std::int32_t id) {
        const auto found = std::lower_bound(judged.ids.begin(), judged.ids.end(), id);
        return found != judged.ids.end() && *found == id ? static_cast<std::size_t>(found - judged.ids.begin())
                                                         : judged.ids.size();
    };
    for (std::size_t place = 0; place < activities.size(); ++place)
        activities[place].id = judged.ids[place];
    for (const DeviceInfo& device : trace.devices())
        if (const std::size_t place = placeOf(device.id); place < activities.size()) {
            DeviceActivity& activity = activities[place];
            activity.name = device.name;
            activity.readsPageable = readsPageableMemory(device.name);
            activity.linkBytesPerSecond = device.linkBytesPerSecond * (trace.origin().isSimulated ? 1 : kPayloadShare);
            if (activity.linkBytesPerSecond <= 0)
                activity.linkBytesPerSecond = linkBytesPerSecondOf(device.name);
        }
    const StreamOwners owners(trace, work);
    std::vector<DeviceActivityBuilder> builders;
    builders.reserve(activities.size());
    for (DeviceActivity& activity : activities)
        builders.emplace_back(std::move(activity), owners.areSeveral());
    GpuNames names(trace, gpuNameClass);
    for (std::size_t at = 0; at < trace.tracks().size(); ++at) {
        work.count();
        if (const std::size_t place = placeOf(trace.tracks()[at].device); place < builders.size())
            builders[place].addTrack(trace, names, TrackId(at), owners, work);
    }
    for (std::size_t place = 0; place < builders.size(); ++place)
        activities[place] = builders[place].finish(trace, names, work);
    for (const Track& track : trace.tracks()) {
        const std::size_t place = track.device < 0 ? activities.size() : placeOf(track.device);
        if (place == activities.size())
            continue;
        for (std::uint32_t at = track.events.first; at < track.events.last; ++at) {
            work.count();
            if (const EventIndex index(at);
                trace.kind(index) == EventKind::Sync && saysThatAStreamWaits(trace.name(index)))
                activities[place].streamWaits.push_back(
                    {waitingStream(owners.ownerOfWait(trace, index), trace.name(index), track),
                     trace.interval(index).startNs, index});
        }
    }
    for (DeviceActivity& activity : activities)
        std::sort(activity.streamWaits.begin(), activity.streamWaits.end(),
                  work.counting([](const auto& a, const auto& b) {
                      return std::tie(a.timeNs, a.event) < std::tie(b.timeNs, b.event);
                  }));
    return activities;
}

std::vector<DeviceActivity> deviceActivities(const Trace& trace)
{
    return deviceActivities(trace, judgedDevices(trace));
}

bool DeviceActivity::hasKernels(StreamKey stream) const
{
    return stream.known() && std::binary_search(kernelStreams.begin(), kernelStreams.end(), stream);
}

bool DeviceActivity::hasKernelsBeside(StreamKey stream) const
{
    const auto first = std::lower_bound(kernelStreams.begin(), kernelStreams.end(), stream.first());
    return first != kernelStreams.end() && first->sharesContext(stream);
}

StreamKey DeviceActivity::defaultStreamOf(StreamKey stream) const
{
    const auto found = std::lower_bound(defaultStreams.begin(), defaultStreams.end(), stream.first());
    return found == defaultStreams.end() || !found->sharesContext(stream) ? StreamKey() : *found;
}

StreamKey DeviceActivity::streamOf(TrackId track) const
{
    const auto found =
        std::lower_bound(streamTracks.begin(), streamTracks.end(), std::pair(track, StreamKey()),
                         [](const auto& entry, const auto& sought) { return entry.first < sought.first; });
    return found == streamTracks.end() || found->first != track ? StreamKey() : found->second;
}

}  // namespace overlane
