// NamedLanes: GPU work of Chrome traces that tell it by the names of their processes only: timelines
// of TensorFlow 1 ("/device:GPU:0/stream:7 Compute") and results.json of rocprof ("GPU0", "COPY").
//
// Names may stand anywhere in the file, so events that could be such work wait here until all are
// known. TensorFlow writes an operation on the lane of its stream, again on "stream:all" and, where
// it is a copy, on "memcpy": what is told twice is counted and drawn once. Sources: TensorFlow's
// timeline.py and device_tracer.cc; ROCm's rocprofiler/bin/tblextr.py. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/work_meter.h"
#include "core/io/chrome_event.h"
#include "core/io/kineto_tracks.h"
#include "core/trace/event.h"
#include "core/trace/import_stats.h"

namespace overlane
{

enum class LaneKind : std::uint8_t {
    Host,         // no lane of a GPU
    Stream,       // work of one stream
    AllStreams,   // TensorFlow: of all streams once more
    AllCopies,    // TensorFlow: all copies once more
    RocKernels,   // rocprof: kernels of one GPU
    RocCopies,    // rocprof: copies and fills of all GPUs
    RocHipCalls,  // rocprof: calls of the HIP runtime
};

struct LaneName {
    LaneKind kind = LaneKind::Host;
    std::int32_t device = 0;
    std::int64_t stream = -1;
};
// What a process name says of the events below it.
LaneName parseLaneName(std::string_view processName);

class NamedLanes
{
public:
    // Whether the name of its process may make this complete event GPU work.
    static bool mayHold(const ChromeEvent& event);
    // `event` as a complete event of the host, with its name; its times are replaced by exact ones
    // where the file has them.
    void add(const ChromeEvent& chrome, Event event);
    std::size_t size() const { return m_rows.size(); }

    using Place = std::function<void(const Event&)>;
    // Hands over every event that is drawn, on its track, and counts the others; after the last event.
    void finish(KinetoTracks& tracks, ImportStats& stats, const WorkMeter& work, const Place& place);

private:
    struct Row {
        Event event;
        std::uint32_t lane = 0;
        std::int32_t device = -1;  // -1 = as its lane
        std::int64_t stream = -1;
        EventKind copyKind = EventKind::CopyOther;
        bool isCopy = false;
        bool isFill = false;
    };
    struct Lane {
        std::string pid;
        std::string tid;
        LaneName name;
    };
    // What a HIP call that copies says of the copy behind it.
    struct CopyCall {
        AsyncFlag async = AsyncFlag::Unknown;
        std::int64_t bytes = 0;
    };

    std::uint32_t laneOf(std::string_view pid, std::string_view tid);
    void placeOnGpu(Row& row, const LaneName& name, KinetoTracks& tracks, const Place& place);

    std::vector<Row> m_rows;
    std::vector<Lane> m_lanes;
    std::unordered_map<std::string, std::uint32_t> m_laneNumbers;
    std::unordered_map<std::uint32_t, CopyCall> m_copyCalls;
};

}  // namespace overlane
