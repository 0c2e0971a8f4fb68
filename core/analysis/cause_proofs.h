// Proofs of the causes of idle time: functions that find a cause's moments in the records. The row of a cause
// (cause_table.h) names them; lostTime() asks them, and gives each moment to the first that proves it.
//
// Pure; any thread. Nanoseconds.
#pragma once

#include <array>
#include <cstdint>

#include "core/analysis/gap_threads.h"
#include "core/analysis/interval_set.h"
#include "core/analysis/memory_activity.h"

namespace overlane
{

// When a proof is asked. Within a turn the causes are asked in the order of LostCause.
enum class ProofTurn : std::uint8_t {
    RunsAlone,    // the device is busy without a kernel; all later turns share out the time in which it is idle
    NotOfHost,    // the machine or the device itself is in the way, whatever the host does
    InCall,       // the thread is in a call that keeps it from launching
    WithBatch,    // it makes, awaits or pins a batch
    Emptied,      // it waited until the device ran empty, and launches again
    ShortGaps,    // short, and no turn before has a part in it
    AnyWork,      // the thread works on anything else
    NotRecorded,  // nothing was recorded; the host was there
};

struct ProofContext {
    const DeviceActivity& device;
    const HostActivity& host;
    const MemoryActivity& memory;
    const IntervalSet& rest;  // what no earlier proof took
};

// One of the functions; neither: no proof. They may answer with more than what is left.
struct CauseProof {
    ProofTurn turn = ProofTurn::NotRecorded;
    IntervalSet (*ofDevice)(const ProofContext&) = nullptr;
    IntervalSet (*ofThread)(const GapsOfThread&, const WorkMeter&) = nullptr;  // within its gaps
    // Asked again, once AnyWork was, of the thread that launched the work before a gap.
    bool ofOthers = true;
};
using CauseProofs = std::array<CauseProof, 2>;

// One of the sets of a device.
template <IntervalSet DeviceActivity::*set>
IntervalSet running(const ProofContext& of)
{
    return of.device.*set;
}
IntervalSet communicationAlone(const ProofContext& of);
// Between two nodes of one launch of a CUDA graph.
IntervalSet insideGraphs(const ProofContext& of);
// From when the next work was issued.
IntervalSet issuedInTime(const ProofContext& of);
// Behind short kernels whose next kernel was issued too late.
IntervalSet betweenShortKernels(const ProofContext& of);

template <HostDoing what>
IntervalSet doing(const GapsOfThread& some, const WorkMeter&)
{
    return intersect(some.gaps, (*some.time)[static_cast<std::size_t>(what)]);
}
// At whose start the thread was in a call that waits: the device ran empty since nothing more was queued, and would
// have had work that much earlier.
IntervalSet emptiedByCopyWaits(const GapsOfThread& some, const WorkMeter& work);
IntervalSet emptiedBySyncs(const GapsOfThread& some, const WorkMeter& work);
// By calls that wait for the device although they are not called so (core/analysis/implicit_wait.h).
IntervalSet emptiedByImplicitWaits(const GapsOfThread& some, const WorkMeter& work);

}  // namespace overlane
