#include "core/trace/track_names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>

#include "core/trace/track_kinds.h"

namespace overlane
{
namespace
{

constexpr std::string_view kOfContext = " of context ";

}  // namespace

std::string deviceTrackName(std::int32_t device, std::string_view name)
{
    std::string text = "GPU " + std::to_string(device);
    if (!name.empty())
        text.append(" \xC2\xB7 ").append(name);
    return text;
}

std::string streamTrackName(std::int64_t stream)
{
    return stream < 0 ? "whole device" : "stream " + std::to_string(stream);
}

std::string contextSuffix(std::int64_t context)
{
    return context == 0 ? std::string() : std::string(kOfContext) + std::to_string(context);
}

std::int64_t contextOfName(std::string_view name)
{
    std::int64_t context = 0;
    if (const std::size_t at = name.find(kOfContext); at != std::string_view::npos)
        std::from_chars(name.data() + at + kOfContext.size(), name.data() + name.size(), context);
    return context;
}

LoaderRole loaderRole(const Track& track)
{
    if (track.kind != TrackKind::LoaderActor)
        return LoaderRole::Other;
    if (track.name.starts_with("worker"))
        return LoaderRole::Worker;
    if (track.name.starts_with(kPinThreadTrackName))
        return LoaderRole::PinThread;
    return track.name == kTrainingTrackName ? LoaderRole::Training : LoaderRole::Other;
}

std::string stacksTrackName(std::string_view thread)
{
    return "stacks of " + std::string(thread);
}

EngineLane engineLane(EventKind deviceWork, bool betweenDevices)
{
    switch (deviceWork) {
        case EventKind::CopyH2D:
            return EngineLane::H2D;
        case EventKind::CopyD2H:
            return EngineLane::D2H;
        case EventKind::CopyD2D:
            return betweenDevices ? EngineLane::P2P : EngineLane::D2D;
        case EventKind::CopyOther:
            return EngineLane::Other;
        default:
            return EngineLane::Compute;
    }
}

TrackKind engineTrackKind(EngineLane lane)
{
    return rowOf(lane).kind;
}

std::string_view engineTrackName(EngineLane lane)
{
    return rowOf(lane).name;
}

std::int32_t gaugeRank(std::string_view name)
{
    // Whole names or beginnings: "Device memory allocated by process 7" stands with the others.
    static constexpr std::array<std::string_view, 17> kOrder = {
        kPinnedMemoryCounter,
        "Device memory",
        "Managed memory",
        "Memory: ",
        "Process memory",
        "Available RAM",
        "Swap used",
        "Swap traffic",
        "Memory pressure",
        "",  // any other: queues, what a program counts itself
        "Major faults",
        "Link traffic from",
        "Link traffic to",
        "GPU utilisation",
        "Page cache",
        "Other programs",
        "Shared memory",
    };
    static constexpr std::int32_t kOther = 9;
    static_assert(kOrder[kOther].empty());
    if (name == "Processes" || name == "Process memory swapped out")  // nearly always the same
        return static_cast<std::int32_t>(kOrder.size());
    const auto* const found = std::find_if(kOrder.begin(), kOrder.end(), [name](std::string_view beginning) {
        return !beginning.empty() && name.starts_with(beginning);
    });
    return found == kOrder.end() ? kOther : static_cast<std::int32_t>(std::distance(kOrder.begin(), found));
}

}  // namespace overlane
