// What one device did over a whole trace, arranged so that any range is answered fast.
//
// Built once per trace, immutable afterwards, no reference to the trace is kept; any thread may
// read it. Times in nanoseconds. Memsets and annotations of the profiler are not kernels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/copy_cause.h"
#include "core/analysis/interval_set.h"
#include "core/base/strong_id.h"
#include "core/trace/trace.h"

namespace overlane
{

// One host-to-device or device-to-host copy.
struct CopyRecord {
    EventIndex event;
    std::int64_t startNs = 0;
    std::int64_t durationNs = 0;
    std::int64_t hiddenNs = 0;  // part under kernels of the device
    std::int64_t bytes = 0;
    MemoryKind hostMemory = MemoryKind::Unknown;
    CopyCause cause = CopyCause::NoCompute;
};

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
};

// Devices with GPU work, in order of id.
std::vector<DeviceActivity> deviceActivities(const Trace& trace);

}  // namespace overlane
