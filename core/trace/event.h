// What an event is: its kind, and for copies the memory on either side.
//
// The numbers are stored in .overlane files: append, never renumber.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/interval.h"
#include "core/base/strong_id.h"

namespace overlane
{

enum class EventKind : std::uint8_t {
    HostWork = 0,     // operators, Python frames, data loading on an ordinary thread
    HostBlocked = 1,  // the host waits: staging a pageable copy, a lock, an empty queue
    RuntimeCall = 2,  // a CUDA or HIP runtime or driver call
    CopyH2D = 3,
    CopyD2H = 4,
    CopyD2D = 5,    // within a device or between peers
    CopyOther = 6,  // host to host, unified memory migration, unknown direction
    Kernel = 7,
    Memset = 8,
    Sync = 9,         // a wait on a stream, event or device
    Loader = 10,      // work of a loader actor (worker, pin thread, consumer)
    LoaderWait = 11,  // a loader actor waits for a queue
    Annotation = 12,  // user ranges: NVTX, record_function, gpu_user_annotation
    Step = 13,        // one training step or batch
    Overhead = 14,    // the profiler's own time
    Instant = 15,     // a point in time
    // Functions on sampled stacks: of the program itself, and of the language and the packages it uses.
    ProgramFrame = 16,
    LibraryFrame = 17,
};
constexpr int kEventKindCount = 18;

// "kernel", "copy H2D", ...; stable, used in golden texts and in JSON.
std::string_view kindName(EventKind kind);

constexpr bool isCopy(EventKind kind)
{
    return kind >= EventKind::CopyH2D && kind <= EventKind::CopyOther;
}

constexpr bool isStackFrame(EventKind kind)
{
    return kind == EventKind::ProgramFrame || kind == EventKind::LibraryFrame;
}

// What runs on a device and so has a call as its cause.
constexpr bool isDeviceWork(EventKind kind)
{
    return isCopy(kind) || kind == EventKind::Kernel || kind == EventKind::Memset;
}

enum class MemoryKind : std::uint8_t { Unknown = 0, Pageable = 1, Pinned = 2, Device = 3, Array = 4, Managed = 5 };
std::string_view memoryKindName(MemoryKind kind);

// Whether the host asked for the copy with an asynchronous call.
enum class AsyncFlag : std::uint8_t { Unknown = 0, Sync = 1, Async = 2 };

struct CopyInfo {
    std::int64_t bytes = 0;  // 0 where the trace does not say
    MemoryKind source = MemoryKind::Unknown;
    MemoryKind destination = MemoryKind::Unknown;
    AsyncFlag async = AsyncFlag::Unknown;

    // The memory kind on the host's side of a copy of the given direction.
    MemoryKind hostSide(EventKind direction) const { return direction == EventKind::CopyD2H ? destination : source; }
    friend bool operator==(const CopyInfo&, const CopyInfo&) = default;
};

// A CUDA graph whose number the source does not say, of work that it says a graph launched.
constexpr std::uint32_t kUnnumberedGraph = 0xFFFFFFFF;

// One event as a value: what a builder takes and what Trace::event() returns.
struct Event {
    TrackId track;
    std::int64_t startNs = 0;
    std::int64_t durationNs = 0;
    StringId name;
    EventKind kind = EventKind::HostWork;
    std::uint32_t correlation = 0;  // joins a call and its GPU work within `process`; 0 = none
    std::uint32_t process = 0;      // scope of the correlation; not kept after build
    std::optional<CopyInfo> copy;   // set exactly for copies
    std::uint32_t color = 0;        // 0xAARRGGBB that the program itself gave a range; 0 = none
    std::uint32_t graph = 0;        // the CUDA graph that launched GPU work, as the source numbers it; 0 = none

    std::int64_t endNs() const { return startNs + durationNs; }
    Interval interval() const { return {startNs, endNs()}; }
};

}  // namespace overlane
