// Tracks: the tree of lanes a trace is drawn on.
//
// process -> threads and loader actors; device -> engines (H2D, D2H, peer, compute) -> streams;
// counters anywhere. Only leaves hold events; a collapsed parent shows what its children hold.
//
// Events of one track that overlap in time lie on different rows. The events of a row are
// disjoint, sorted by start and contiguous in the trace's columns, so a row is a plain range
// in which both starts and ends ascend: binary search finds any time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/strong_id.h"

namespace overlane
{

// Stored in .overlane files: append, never renumber.
enum class TrackKind : std::uint8_t {
    Process = 0,
    Thread = 1,
    LoaderActor = 2,  // worker k, pin thread, consumer
    Device = 3,
    EngineH2D = 4,
    EngineD2H = 5,
    EnginePeer = 6,     // device to device and between devices
    EngineCompute = 7,  // kernels, memsets
    Stream = 8,         // below an engine
    Counter = 9,
    Group = 10,        // anything else with children
    Annotations = 11,  // user ranges or steps
    // Sampled stacks of a thread (the same nativeId and parent) or of a loader actor (named after it), a row
    // per depth. The innermost event of a sample starts when it was taken: see core/analysis/host_stacks.h.
    Stacks = 12,
};
constexpr int kTrackKindCount = 13;

enum class CounterUnit : std::uint8_t { Count = 0, Bytes = 1, Nanoseconds = 2, Percent = 3, BytesPerSecond = 4 };

// Half-open range of event indices.
struct EventRange {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::uint32_t size() const { return last - first; }
    bool empty() const { return first == last; }
    friend bool operator==(EventRange, EventRange) = default;
};

struct Track {
    TrackId parent;  // none for a root
    TrackKind kind = TrackKind::Group;
    std::string name;
    std::int32_t device = -1;    // device id of a device, its engines and streams; else -1
    std::int64_t nativeId = 0;   // pid, tid or stream number in the source, 0 where there is none
    std::int32_t sortOrder = 0;  // among siblings; ties in order of creation
    // The profiler's own rows, or what other tracks show already (GPU copies of annotations, host time
    // in sync calls listed by device). Last among siblings; a window collapses it at first and leaves it
    // out of what a collapsed parent shows. Says nothing of the events: they count as they are.
    bool bookkeeping = false;
    // Filled by TraceBuilder::build():
    std::vector<TrackId> children;
    std::vector<EventRange> rows;  // sub-rows, top first
    EventRange events;             // all rows together
};

// Values over time; a value holds until the next time. Times ascend.
struct CounterSeries {
    TrackId track;
    CounterUnit unit = CounterUnit::Count;
    std::vector<std::int64_t> timesNs;
    std::vector<double> values;
};

}  // namespace overlane
