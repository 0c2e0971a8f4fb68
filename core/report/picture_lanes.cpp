#include "core/report/picture_lanes.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/trace/track_kinds.h"

namespace overlane
{
namespace
{

constexpr std::size_t kMostThreads = 2;
constexpr std::size_t kMostActors = 5;
constexpr std::size_t kDrawnDevices = 4;

// The rows of a track and of everything below it, without bookkeeping.
void addRows(const Trace& trace, TrackId id, std::vector<EventRange>& rows)
{
    const Track& track = trace.track(id);
    if (track.bookkeeping)
        return;
    for (const EventRange& row : track.rows)
        if (!row.empty())
            rows.push_back(row);
    for (const TrackId child : track.children)
        addRows(trace, child, rows);
}

// A lane for each kind of engine.
void addDevice(const Trace& trace, std::int32_t device, bool named, std::vector<PictureLane>& lanes)
{
    bool first = true;
    for (const TrackKindRow& wanted : trackKinds()) {
        if (!wanted.isEngine())
            continue;
        PictureLane lane;
        lane.label = named ? fmt::format("GPU {} {}", device, wanted.name) : std::string(wanted.name);
        lane.onDevice = true;
        for (std::size_t i = 0; i < trace.tracks().size(); ++i) {
            const Track& track = trace.tracks()[i];
            if (track.kind == wanted.kind && track.device == device)
                addRows(trace, TrackId(i), lane.rows);
        }
        if (lane.rows.empty() && !wanted.alwaysPictured)
            continue;
        lane.firstOfGroup = first;
        first = false;
        lanes.push_back(std::move(lane));
    }
}

}  // namespace

PictureLanes pictureLanes(const Trace& trace, const Analysis& analysis)
{
    PictureLanes picture;
    const auto add = [&](TrackId track, std::string label) {
        PictureLane lane;
        lane.label = std::move(label);
        addRows(trace, track, lane.rows);
        lane.firstOfGroup = picture.lanes.empty();
        if (!lane.rows.empty())
            picture.lanes.push_back(std::move(lane));
    };

    const HostActivity& host = analysis.host();
    const auto& actors = host.actors;
    for (std::size_t i = 0; i < actors.size(); ++i) {
        if (host.threadOf(actors[i].track) != nullptr)
            continue;  // shown as a launching thread below
        if (picture.lanes.size() < kMostActors)
            add(actors[i].track, actors[i].name);
        else
            ++picture.actorsLeftOut;
    }

    std::vector<const HostActivity::LaunchingThread*> threads;
    for (const HostActivity::LaunchingThread& thread : host.launchingThreads)
        threads.push_back(&thread);
    std::stable_sort(threads.begin(), threads.end(),
                     [](const auto* a, const auto* b) { return a->calls.size() > b->calls.size(); });
    for (std::size_t i = 0; i < threads.size(); ++i) {
        if (i < kMostThreads)
            add(threads[i]->track, trace.track(threads[i]->track).name);
        else
            ++picture.threadsLeftOut;
    }

    const auto& devices = analysis.devices();
    for (std::size_t i = 0; i < devices.size(); ++i) {
        if (i < kDrawnDevices)
            addDevice(trace, devices[i].id, devices.size() > 1, picture.lanes);
        else
            ++picture.devicesLeftOut;
    }
    return picture;
}

std::string leftOutText(const PictureLanes& picture)
{
    std::string text;
    const auto add = [&](std::size_t count, std::string_view one, std::string_view many) {
        if (count > 0)
            text += fmt::format("{}{} {}", text.empty() ? " Not drawn: " : ", ", count, count == 1 ? one : many);
    };
    add(picture.actorsLeftOut, "more actor of the loader", "more actors of the loader");
    add(picture.threadsLeftOut, "more launching thread", "more launching threads");
    add(picture.devicesLeftOut, "more GPU", "more GPUs");
    add(picture.gaugesLeftOut, "more gauge", "more gauges");
    return text.empty() ? text : text + ".";
}

}  // namespace overlane
