#include "core/trace/track_kinds.h"

#include <array>

#include "core/base/enum_rows.h"

namespace overlane
{
namespace
{

constexpr std::array<TrackKindRow, kTrackKindCount> kKinds{{
    {.kind = TrackKind::Process,
     .id = "process",
     .name = "process",
     .group = LaneGroup::Host,
     .explanation = "A process; its threads, devices and gauges lie below it.",
     .lesson = "three_stages"},
    {.kind = TrackKind::Thread,
     .id = "thread",
     .name = "host",
     .group = LaneGroup::Host,
     .explanation = "A thread of the program: operators, CUDA calls and waits, the innermost lowest. The thread that "
                    "launches must stay ahead of the GPU.",
     .lesson = "run_ahead",
     .band = LaneBand::Host},
    {.kind = TrackKind::LoaderActor,
     .id = "loader",
     .name = "loader",
     .group = LaneGroup::Loader,
     .band = LaneBand::Host,
     .shownEmpty = true,
     .isRecorded = true},
    {.kind = TrackKind::Device,
     .id = "device",
     .name = "GPU",
     .group = LaneGroup::Device,
     .explanation = "A GPU; its copy engines and its kernels lie below it and may run at the same time.",
     .lesson = "three_stages"},
    {.kind = TrackKind::EngineH2D,
     .id = "h2d",
     .name = "H2D",
     .group = LaneGroup::Engine,
     .explanation = "The engine that copies from host to device: one copy at a time; it can overlap kernels only "
                    "where memory is pinned and another stream carries the kernels.",
     .lesson = "why_pinned",
     .band = LaneBand::Copies,
     .bearsOwnName = false,
     .shownEmpty = true,
     .alwaysPictured = true,
     .startsClosed = true},
    {.kind = TrackKind::EngineD2H,
     .id = "d2h",
     .name = "D2H",
     .group = LaneGroup::Engine,
     .explanation =
         "The engine that copies results back to the host; it works in parallel with the other direction without "
         "slowing it much.",
     .lesson = "both_directions",
     .band = LaneBand::Copies,
     .bearsOwnName = false,
     .shownEmpty = true,
     .startsClosed = true},
    {.kind = TrackKind::EnginePeer,
     .id = "peer",
     .name = "D2D, P2P",
     .group = LaneGroup::Engine,
     .explanation = "Copies within a GPU, between GPUs, or of managed memory that moves on demand.",
     .lesson = "both_directions",
     .band = LaneBand::Copies,
     .shownEmpty = true,
     .startsClosed = true},
    {.kind = TrackKind::EngineCompute,
     .id = "compute",
     .name = "compute",
     .group = LaneGroup::Engine,
     .explanation =
         "When kernels run. Every gap is time that the GPU computes nothing; point at one to read its cause.",
     .lesson = "three_stages",
     .band = LaneBand::Kernels,
     .bearsOwnName = false,
     .shownEmpty = true,
     .alwaysPictured = true,
     .startsClosed = true},
    {.kind = TrackKind::Stream,
     .id = "stream",
     .name = "stream",
     .group = LaneGroup::Stream,
     .explanation = "A stream: its copies and kernels run one after another, in the order in which they were issued.",
     .lesson = "side_stream"},
    {.kind = TrackKind::Counter,
     .id = "counter",
     .name = "gauge",
     .group = LaneGroup::Gauge,
     .explanation = "A gauge: a figure over time, on the axis of the lanes.",
     .lesson = "memory_pressure"},
    {.kind = TrackKind::Group,
     .id = "group",
     .name = "group",
     .group = LaneGroup::Host,
     .explanation = "Tracks that belong together; a click opens or closes them.",
     .lesson = "three_stages"},
    {.kind = TrackKind::Annotations,
     .id = "annotations",
     .name = "ranges",
     .group = LaneGroup::Host,
     .explanation = "Ranges that the program or its profiler named, such as steps.",
     .lesson = "three_stages",
     .isRecorded = true},
    {.kind = TrackKind::Stacks,
     .id = "stacks",
     .name = "stacks",
     .group = LaneGroup::Host,
     .explanation = "Functions that the thread above was in when it was looked at, some fifty times a second: the "
                    "callers on top, the program's own code in the stronger color.",
     .lesson = "three_stages",
     .startsClosed = true},
}};

constexpr std::array<EngineLaneRow, 6> kEngines{{
    {EngineLane::H2D, TrackKind::EngineH2D, "H2D"},
    {EngineLane::D2H, TrackKind::EngineD2H, "D2H"},
    {EngineLane::D2D, TrackKind::EnginePeer, "D2D"},
    {EngineLane::P2P, TrackKind::EnginePeer, "P2P"},
    {EngineLane::Other, TrackKind::EnginePeer, "other copies"},
    {EngineLane::Compute, TrackKind::EngineCompute, "compute"},
}};
static_assert(standInOrder(kKinds, &TrackKindRow::kind) && standInOrder(kEngines, &EngineLaneRow::lane));

constexpr bool areExplained()
{
    for (const TrackKindRow& row : kKinds)
        if (row.kind != TrackKind::LoaderActor && (row.explanation.empty() || row.lesson.empty()))
            return false;
    return true;
}
static_assert(areExplained());

}  // namespace

std::span<const TrackKindRow> trackKinds()
{
    return kKinds;
}

const TrackKindRow& rowOf(TrackKind kind)
{
    return kKinds[static_cast<std::size_t>(kind)];
}

TrackKind recordedKind(std::uint32_t number)
{
    return number < kKinds.size() && kKinds[number].isRecorded ? kKinds[number].kind : TrackKind::Group;
}

const EngineLaneRow& rowOf(EngineLane lane)
{
    return kEngines[static_cast<std::size_t>(lane)];
}

}  // namespace overlane
