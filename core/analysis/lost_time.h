// Lost time: every moment in which a device runs no kernel, with the one cause that explains it best.
//
// Moments are given to the first cause whose row (core/analysis/cause_table.h) proves them, so the sets are
// disjoint and their sum is exactly the time without kernels: what one of them could win is never
// more than that. Causes on the host are read from the thread that asked for the
// device's next work (core/analysis/gap_threads.h), and only for as long as it had not: from then on the
// device itself waits. A wait that leaves the device empty costs no more than it lasted: without it the host would
// have been back that much earlier, and for the rest it was late anyway. A copy that nothing delays but
// what was late before it, a batch, belongs to that. All that judges a trace asks here. Built once per trace,
// immutable, no reference to the trace is kept; any thread. Nanoseconds.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/analysis/device_activity.h"
#include "core/analysis/host_activity.h"
#include "core/analysis/interval_set.h"
#include "core/analysis/memory_activity.h"
#include "core/base/interval.h"

namespace overlane
{

enum class LostCause : std::uint8_t {
    Communication,  // data moves between GPUs (NCCL, copies between them) and nothing is computed
    Copies,         // a host-to-device copy outside kernels
    ReadBack,       // a device-to-host copy outside kernels
    Migration,      // unified memory moves outside kernels
    OtherWork,      // other copies and memsets
    Swap,           // idle while the machine moves pages to or from swap
    InGraph,        // idle between two nodes of one launch of a CUDA graph
    Dependency,     // idle though the next work was asked for: order of a stream, an event, the GPU's own latency
    Staging,        // idle while the host is held in a call that stages or waits for a copy, or behind it
    MakingBatches,  // idle while the launching thread produces a batch itself
    Batches,        // idle while the launching thread waits for the loader
    Pinning,        // idle while the launching thread page-locks memory or copies a batch into such memory
    // Idle after a call that waited until the device had nothing left to do, for as long as it did; one that is not
    // called so, too (core/analysis/implicit_wait.h).
    Sync,
    LaunchBound,  // idle between short kernels: each ends before the next launch arrives
    Host,         // idle while the launching thread works on other things
    HostBetween,  // idle while it is between two recorded events: code that the trace does not show
    Ends,         // before the first and after the last work of the device
    Unknown,      // idle, and no record says why
};
constexpr int kLostCauseCount = static_cast<int>(LostCause::Unknown) + 1;

// "waiting for batches"; stable, used in JSON and golden texts.
std::string_view lostCauseName(LostCause cause);

using LostTime = std::array<IntervalSet, kLostCauseCount>;

// After judgeCopies().
LostTime lostTime(const DeviceActivity& device, const HostActivity& host, const MemoryActivity& memory, Interval span,
                  const WorkMeter& work = {});

// Batches, MakingBatches, Pinning or Swap where a copy is part of that loss; else none.
std::optional<LostCause> delayOf(const LostTime& lost, const CopyRecord& copy);

}  // namespace overlane
