#include "core/trace/track_kinds.h"

#include <array>

namespace overlane
{
namespace
{

constexpr std::array<TrackKindRow, kTrackKindCount> kKinds{{
    {.kind = TrackKind::Process, .id = "process", .name = "process", .group = LaneGroup::Host},
    {.kind = TrackKind::Thread, .id = "thread", .name = "host", .group = LaneGroup::Host, .band = LaneBand::Host},
    {.kind = TrackKind::LoaderActor,
     .id = "loader",
     .name = "loader",
     .group = LaneGroup::Loader,
     .band = LaneBand::Host,
     .shownEmpty = true},
    {.kind = TrackKind::Device, .id = "device", .name = "GPU", .group = LaneGroup::Device},
    {.kind = TrackKind::EngineH2D,
     .id = "h2d",
     .name = "H2D",
     .group = LaneGroup::Engine,
     .band = LaneBand::Copies,
     .bearsOwnName = false,
     .shownEmpty = true,
     .alwaysPictured = true,
     .startsClosed = true},
    {.kind = TrackKind::EngineD2H,
     .id = "d2h",
     .name = "D2H",
     .group = LaneGroup::Engine,
     .band = LaneBand::Copies,
     .bearsOwnName = false,
     .shownEmpty = true,
     .startsClosed = true},
    {.kind = TrackKind::EnginePeer,
     .id = "peer",
     .name = "D2D, P2P",
     .group = LaneGroup::Engine,
     .band = LaneBand::Copies,
     .shownEmpty = true,
     .startsClosed = true},
    {.kind = TrackKind::EngineCompute,
     .id = "compute",
     .name = "compute",
     .group = LaneGroup::Engine,
     .band = LaneBand::Kernels,
     .bearsOwnName = false,
     .shownEmpty = true,
     .alwaysPictured = true,
     .startsClosed = true},
    {.kind = TrackKind::Stream, .id = "stream", .name = "stream", .group = LaneGroup::Stream},
    {.kind = TrackKind::Counter, .id = "counter", .name = "gauge", .group = LaneGroup::Gauge},
    {.kind = TrackKind::Group, .id = "group", .name = "group", .group = LaneGroup::Host},
    {.kind = TrackKind::Annotations, .id = "annotations", .name = "ranges", .group = LaneGroup::Host},
    {.kind = TrackKind::Stacks, .id = "stacks", .name = "stacks", .group = LaneGroup::Host, .startsClosed = true},
}};

constexpr std::array<EngineLaneRow, 6> kEngines{{
    {EngineLane::H2D, TrackKind::EngineH2D, "H2D"},
    {EngineLane::D2H, TrackKind::EngineD2H, "D2H"},
    {EngineLane::D2D, TrackKind::EnginePeer, "D2D"},
    {EngineLane::P2P, TrackKind::EnginePeer, "P2P"},
    {EngineLane::Other, TrackKind::EnginePeer, "other copies"},
    {EngineLane::Compute, TrackKind::EngineCompute, "compute"},
}};

template <typename Rows, typename Id>
constexpr bool standInOrder(const Rows& rows, Id idOf)
{
    for (std::size_t at = 0; at < rows.size(); ++at)
        if (static_cast<std::size_t>(rows[at].*idOf) != at)
            return false;
    return true;
}
static_assert(standInOrder(kKinds, &TrackKindRow::kind) && standInOrder(kEngines, &EngineLaneRow::lane));

}  // namespace

std::span<const TrackKindRow> trackKinds()
{
    return kKinds;
}

const TrackKindRow& rowOf(TrackKind kind)
{
    return kKinds[static_cast<std::size_t>(kind)];
}

std::span<const EngineLaneRow> engineLanes()
{
    return kEngines;
}

const EngineLaneRow& rowOf(EngineLane lane)
{
    return kEngines[static_cast<std::size_t>(lane)];
}

}  // namespace overlane
