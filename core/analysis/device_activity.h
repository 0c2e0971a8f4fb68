// What one device did over a whole trace, arranged so that any range is answered fast.
//
// Built once per trace, immutable afterwards, no reference to the trace is kept; any thread may
// read it. Times in nanoseconds. Memsets and annotations of the profiler are not kernels, and those that move data
// between GPUs (core/analysis/communication.h) are communication: "kernels" are those that compute. Linear in the
// events of the trace; what depends on pairs of devices and host threads is bounded by kMostDevices.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/analysis/copy_cause.h"
#include "core/analysis/copy_role.h"
#include "core/analysis/interval_set.h"
#include "core/base/strong_id.h"
#include "core/base/work_meter.h"
#include "core/trace/trace.h"

namespace overlane
{

// A stream. Its number is unique within a context of its process only ("The stream ID is unique within a context",
// cuptiGetStreamIdEx); the process is none where the trace does not tell. By process and context, then by number.
struct StreamKey {
    TrackId process;
    std::int64_t number = -1;  // in the source; -1 = unknown
    std::int64_t context = 0;  // 0: the first of the process on its device, see contextSuffix()

    bool known() const { return number >= 0; }
    friend bool operator==(const StreamKey&, const StreamKey&) = default;
    friend bool operator<(const StreamKey& a, const StreamKey& b)
    {
        return std::tie(a.process, a.context, a.number) < std::tie(b.process, b.context, b.number);
    }
    // Before every stream of the same process and context.
    StreamKey first() const { return {process, std::numeric_limits<std::int64_t>::min(), context}; }
    bool sharesContext(const StreamKey& other) const { return process == other.process && context == other.context; }
};

// One host-to-device or device-to-host copy. The causes are filled by judgeCopies(), the role by assignRoles().
struct CopyRecord {
    EventIndex event;
    EventIndex call;  // the host's call that asked for it; none where the trace has no such record
    std::int64_t startNs = 0;
    std::int64_t durationNs = 0;
    std::int64_t hiddenNs = 0;  // part under kernels of the device
    std::int64_t bytes = 0;
    StreamKey stream;
    MemoryKind hostMemory = MemoryKind::Unknown;
    AsyncFlag async = AsyncFlag::Unknown;
    CopyCause cause = CopyCause::NoCompute;  // the first of `causes`
    CopyCauses causes = 0;
    CopyRole role = CopyRole::Unknown;
    float roleConfidence = 0;  // 0 to 1

    Interval interval() const { return {startNs, startNs + durationNs}; }
    std::int64_t exposedNs() const { return durationNs - hiddenNs; }
};

// A time between two pieces of work in which the device did nothing at all.
struct IdleGap {
    Interval interval;
    EventIndex previous;  // work that ended when it began
    EventIndex next;      // work that began when it ended
    TrackId asker;        // the thread whose call asked for `next`; none where the trace does not say
    TrackId askerBefore;  // the same of `previous`
    bool afterShortKernel = false;
    bool beforeKernel = false;
    bool insideGraph = false;  // one launch of a CUDA graph holds the work on either side
    // When the host had asked for `next`; the greatest number where the trace does not say.
    std::int64_t queuedNs = std::numeric_limits<std::int64_t>::max();
};

// Kernels this short end before the host has launched the next one.
constexpr std::int64_t kShortKernelNs = 20'000;

struct DeviceActivity {
    std::int32_t id = 0;  // -1: GPU work that the trace assigns to no device
    std::string name;
    // What its host link carries in one direction, by what the trace says of it, else by the GPU's name; 0 = unknown.
    double linkBytesPerSecond = 0;
    // It reads pageable memory itself (core/analysis/pageable_memory.h): the memory of such copies is Unknown here, and
    // whether there are any.
    bool readsPageable = false;
    bool hasPageableNotJudged = false;
    // Processes whose kernels run at the same time, as with MPS; 0 where one alone has any or they take turns.
    std::int64_t processesAtOnce = 0;

    // Unions.
    IntervalSet h2d;
    IntervalSet d2h;
    IntervalSet migrations;   // of unified memory
    IntervalSet otherCopies;  // within the device or the host
    IntervalSet kernels;
    IntervalSet communication;        // kernels and copies between GPUs
    IntervalSet communicationHidden;  // communication and kernels at once
    IntervalSet graphKernels;         // kernels that a CUDA graph launched, those of communication too
    IntervalSet h2dHidden;            // h2d and kernels at once
    IntervalSet d2hHidden;
    IntervalSet busy;  // any of the above, or a memset

    // In order of start, for counting what starts in a range.
    std::vector<CopyRecord> h2dCopies;
    std::vector<CopyRecord> d2hCopies;
    std::vector<std::int64_t> otherCopyStartsNs;  // migrations, too
    std::vector<std::int64_t> kernelStartsNs;
    std::vector<std::int64_t> communicationStartsNs;

    // Between the first and the last work, in order.
    std::vector<IdleGap> idle;

    // The copies to the device that the host does not hold up take longer than kernels and communication and fill most
    // of the time: hiding them would win little, whatever they wait for. Filled by judgeCopies().
    bool linkTooNarrow = false;

    // Streams that carry kernels, ascending.
    std::vector<StreamKey> kernelStreams;
    // The legacy default stream of each context for which the trace tells it, ascending.
    std::vector<StreamKey> defaultStreams;
    // Tracks of streams, ascending, and whose they are.
    std::vector<std::pair<TrackId, StreamKey>> streamTracks;
    // Rows of the trace that say "this stream waits for an event", in order of time.
    struct StreamWait {
        StreamKey stream;
        std::int64_t timeNs = 0;
        EventIndex event;
    };
    std::vector<StreamWait> streamWaits;

    bool hasKernels(StreamKey stream) const;
    // Whether the context of a stream has kernels on this device at all.
    bool hasKernelsBeside(StreamKey stream) const;
    // Of the context of a stream; unknown where the trace does not tell.
    StreamKey defaultStreamOf(StreamKey stream) const;
    // Of a track of this device; unknown for one that is no stream's.
    StreamKey streamOf(TrackId track) const;
};

// A trace that names more devices than any machine has is judged by those with the most work.
constexpr std::size_t kMostDevices = 1024;

// Devices with GPU work that are judged.
struct JudgedDevices {
    std::vector<std::int32_t> ids;  // ascending
    std::size_t leftOut = 0;        // others that have GPU work, too

    bool contains(std::int32_t id) const { return std::binary_search(ids.begin(), ids.end(), id); }
};
JudgedDevices judgedDevices(const Trace& trace, const WorkMeter& work = {});

// In order of id.
std::vector<DeviceActivity> deviceActivities(const Trace& trace, const JudgedDevices& judged,
                                             const WorkMeter& work = {});
std::vector<DeviceActivity> deviceActivities(const Trace& trace);

}  // namespace overlane
