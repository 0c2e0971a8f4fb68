// What the host did over a whole trace: when the GPU runtime held a thread, how busy the loader's
// actors were, and what the threads that launch GPU work did while a device may have waited for them.
//
// Built once per trace, immutable afterwards, no reference to the trace is kept. Nanoseconds. Threads that
// launch on the same devices are one group, whose time is united once for all of these devices.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/device_activity.h"
#include "core/analysis/implicit_wait.h"
#include "core/analysis/interval_set.h"
#include "core/base/work_meter.h"
#include "core/trace/trace.h"
#include "core/trace/track_names.h"

namespace overlane
{

// What a host thread does at a time, as far as it matters to a device.
enum class HostDoing : std::uint8_t {
    BlockingCopy,  // in a call that started a synchronous or pageable copy
    Sync,          // in a call that waits for the device
    BatchWait,     // waits for the loader's next batch
    BatchWork,     // produces a batch itself
    Pinning,       // copies a batch into pinned memory
    PageLocking,   // in a call that allocates, registers or frees page-locked memory
    Work,          // any other work or call
};
constexpr int kHostDoingCount = 7;
using HostTime = std::array<IntervalSet, kHostDoingCount>;

// What a call of the GPU runtime is for, as far as order matters.
enum class GpuCallKind : std::uint8_t {
    Copy,        // started a copy
    Launch,      // started anything else on a device
    Sync,        // waits for the device, a stream or an event
    StreamWait,  // makes a stream wait for an event
};

struct GpuCall {
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    EventIndex event;
    GpuCallKind kind = GpuCallKind::Launch;
};

// A wait that is asked for this soon after a copy is part of the same request: PyTorch's blocking .to()
// is cudaMemcpyAsync and cudaStreamSynchronize.
constexpr std::int64_t kSameRequestNs = 50'000;

// Whether a call waits for the one before it in its thread, a copy, as part of the same request.
bool isWaitOfCopy(const GpuCall& call, const GpuCall& before);

// "cudaHostAlloc", "cuMemHostRegister": a call that page-locks memory or frees it.
bool isPageLockingCall(std::string_view name);

struct HostActivity {
    // A thread that launched work on devices.
    struct LaunchingThread {
        TrackId track;
        std::vector<std::int32_t> devices;        // ascending
        std::vector<GpuCall> calls;               // in order of start
        std::vector<ImplicitCall> implicitCalls;  // that may wait for the device, in order of start
        HostTime time;
        IntervalSet copyWaits;         // of HostDoing::Sync: part of the same request as a copy to the device
        Interval span;                 // from its first to its last event
        bool launchesKernels = false;  // not copies and memsets alone
    };

    // Times in which at least one host thread was held by the GPU runtime: events of kind
    // "host blocked" and "sync" on host tracks, runtime calls named *Synchronize, and calls that
    // started a synchronous or pageable host copy. Waiting for a queue of the loader is not in it.
    IntervalSet blocked;
    // Working (not waiting) time of each loader actor. Empty for traces that name no actors: an
    // imported trace shows operators on a thread, not whether the thread worked or waited.
    struct Actor {
        TrackId track;
        std::string name;
        LoaderRole role = LoaderRole::Other;
        IntervalSet work;
    };
    std::vector<Actor> actors;
    std::vector<LaunchingThread> launchingThreads;  // in order of track
    // The threads that launch on a device. What several did together; of one, it is that thread's own.
    struct LaunchGroup {
        std::vector<std::uint32_t> threads;  // places in launchingThreads
        HostTime time;
        IntervalSet copyWaits;
        IntervalSet span;
    };
    std::vector<LaunchGroup> groups;
    std::vector<std::pair<std::int32_t, std::uint32_t>> groupOf;  // device -> place in groups, by device

    // The busiest single actor's working time in a range: no schedule can be shorter than that.
    // 0 where the trace names no actors.
    std::int64_t criticalNs(Interval range) const;
    // Empty where no thread launches on a device.
    const LaunchGroup& group(std::int32_t device) const;
    // Of all threads that launch on a device, together.
    const HostTime& launching(std::int32_t device) const;
    const IntervalSet& launchingSpan(std::int32_t device) const { return group(device).span; }
    const IntervalSet& copyWaits(std::int32_t device) const;
    // The launching thread of a track; nullptr for any other.
    const LaunchingThread* threadOf(TrackId track) const;
};

// Of all devices, or of those that are judged.
HostActivity hostActivity(const Trace& trace);
HostActivity hostActivity(const Trace& trace, const JudgedDevices& judged, const WorkMeter& work = {});

}  // namespace overlane
