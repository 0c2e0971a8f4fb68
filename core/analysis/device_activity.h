// What one device did over a whole trace, arranged so that any range is answered fast.
//
// Built once per trace, immutable afterwards, no reference to the trace is kept; any thread may
// read it. Times in nanoseconds. Memsets and annotations of the profiler are not kernels.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/analysis/copy_cause.h"
#include "core/analysis/interval_set.h"
#include "core/base/strong_id.h"
#include "core/trace/trace.h"

namespace overlane
{

// One host-to-device or device-to-host copy. The causes are filled by judgeCopies().
struct CopyRecord {
    EventIndex event;
    EventIndex call;  // the host's call that asked for it; none where the trace has no such record
    std::int64_t startNs = 0;
    std::int64_t durationNs = 0;
    std::int64_t hiddenNs = 0;  // part under kernels of the device
    std::int64_t bytes = 0;
    std::int64_t stream = -1;  // number in the source; -1 = unknown
    MemoryKind hostMemory = MemoryKind::Unknown;
    AsyncFlag async = AsyncFlag::Unknown;
    CopyCause cause = CopyCause::NoCompute;  // the first of `causes`
    CopyCauses causes = 0;

    Interval interval() const { return {startNs, startNs + durationNs}; }
    std::int64_t exposedNs() const { return durationNs - hiddenNs; }
};

// A time between two pieces of work in which the device did nothing at all.
struct IdleGap {
    Interval interval;
    EventIndex previous;  // work that ended when it began
    EventIndex next;      // work that began when it ended
    bool afterShortKernel = false;
    bool beforeKernel = false;
    // When the host had asked for `next`; the greatest number where the trace does not say.
    std::int64_t queuedNs = std::numeric_limits<std::int64_t>::max();
};

// Kernels this short end before the host has launched the next one.
constexpr std::int64_t kShortKernelNs = 20'000;

struct DeviceActivity {
    std::int32_t id = 0;  // -1: GPU work that the trace assigns to no device
    std::string name;

    // Unions.
    IntervalSet h2d;
    IntervalSet d2h;
    IntervalSet otherCopies;
    IntervalSet kernels;
    IntervalSet h2dHidden;  // h2d and kernels at once
    IntervalSet d2hHidden;
    IntervalSet busy;  // any of the above, or a memset

    // In order of start, for counting what starts in a range.
    std::vector<CopyRecord> h2dCopies;
    std::vector<CopyRecord> d2hCopies;
    std::vector<std::int64_t> otherCopyStartsNs;
    std::vector<std::int64_t> kernelStartsNs;

    // Between the first and the last work, in order.
    std::vector<IdleGap> idle;

    // The copies to the device that the host does not hold up take longer than the kernels and fill most
    // of the time: hiding them would win little, whatever they wait for. Filled by judgeCopies().
    bool linkTooNarrow = false;

    // Numbers of the streams that carry kernels, ascending.
    std::vector<std::int64_t> kernelStreams;
    // The legacy default stream, where the trace tells which it is; else -1.
    std::int64_t defaultStream = -1;
    // Rows of the trace that say "this stream waits for an event", in order of time.
    struct StreamWait {
        std::int64_t stream = 0;
        std::int64_t timeNs = 0;
        EventIndex event;
    };
    std::vector<StreamWait> streamWaits;

    bool hasKernels(std::int64_t stream) const;
};

// Devices with GPU work, in order of id.
std::vector<DeviceActivity> deviceActivities(const Trace& trace);

}  // namespace overlane
