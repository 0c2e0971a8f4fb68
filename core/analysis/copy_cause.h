// Why a copy did or did not hide behind compute, from the records alone.
//
// Pure functions, any thread. The causes stand in the order in which they must be fixed: each one
// alone is enough to prevent overlap (design of the CUDA runtime: a pageable copy is staged by the
// host, a synchronous call holds the host, one stream runs its work in order), so fixing a later one
// first would change nothing. The first that holds is the cause; all that hold are the reasons. Findings rank a call
// that waits before pageable memory: core/findings/claims.h.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/trace/event.h"

namespace overlane
{

enum class CopyCause : std::uint8_t {
    Hidden,               // at least half of its time lies under kernels of the device
    UnifiedMemory,        // managed memory that moves on demand
    OutsideKernels,       // before the first or after the last kernel: the first or last batch
    StagedInline,         // so small that pageable data went with the command itself
    PageableMemory,       // the host's side is pageable
    SynchronousCall,      // the host asked with a call that waits, or waited right after it
    SameStream,           // the copy's stream also carries kernels
    EventDependency,      // its stream was made to wait for an event or another stream
    LegacyDefaultStream,  // the default stream waits for the others and they for it
    EngineBusy,           // another copy in the same direction held the engine while kernels ran
    HostSync,             // the host waited for the device first and asked for the copy afterwards
    UnknownMemory,        // the trace does not name the memory kind
    NoCompute,            // no kernel ran beside it, though nothing above prevented that
    Unknown,              // kernels ran while it was pending, and no record says what it waited for
};
constexpr int kCopyCauseCount = 14;

// Host-to-device copies up to this size from pageable memory go with the command (CUDA runtime:
// "API synchronization behavior").
constexpr std::int64_t kInlineCopyBytes = 64 << 10;

// What the decision is made from.
struct CopyFacts {
    std::int64_t durationNs = 0;
    std::int64_t hiddenNs = 0;  // part of it under kernels of the same device
    MemoryKind hostMemory = MemoryKind::Unknown;
    AsyncFlag async = AsyncFlag::Unknown;
    bool streamHasKernels = false;

    bool toDevice = true;
    std::int64_t bytes = 0;             // 0 = unknown
    bool outsideKernels = false;        // ends before the first or starts after the last kernel
    bool hostWaitedAfter = false;       // the call after the copy's own waited until the copy was done
    bool hostWaitedBefore = false;      // the host waited for the device, and asked for the copy next
    bool streamWaited = false;          // its stream was told to wait before it, and did
    bool defaultStreamBetween = false;  // it or the kernels sit in the legacy default stream, the others elsewhere
    bool behindSameEngine = false;      // began when another copy of its direction ended
    bool kernelsWhilePending = false;   // between call and start, kernels ran that could have hidden half of it
    bool kernelsRecorded = true;        // false where the recording left kernels out
};

// A set of causes, one bit each; bit order is the order of fixing.
using CopyCauses = std::uint16_t;
constexpr CopyCauses causeBit(CopyCause cause)
{
    return static_cast<CopyCauses>(1u << static_cast<unsigned>(cause));
}
static_assert(kCopyCauseCount <= 16);

// All that hold; never empty.
CopyCauses causesOf(const CopyFacts& facts);
// The first that holds.
CopyCause firstCause(CopyCauses causes);
std::vector<CopyCause> rankedCauses(CopyCauses causes);

// "pageable memory", "same stream as the kernels"; stable, used in JSON and golden texts.
std::string_view causeName(CopyCause cause);
// One sentence: what happened to such a copy.
std::string_view causeSentence(CopyCause cause);

struct CopyCauseRow {
    CopyCause cause;
    std::string_view id;        // "same_stream"
    std::string_view name;      // "same stream as the kernels"
    std::string_view brief;     // "same stream"
    std::string_view sentence;  // what happened to such a copy
    std::string_view lesson;    // key of the lesson that shows it
};
// In the order of CopyCause.
std::span<const CopyCauseRow> copyCauses();
const CopyCauseRow& rowOf(CopyCause cause);

}  // namespace overlane
