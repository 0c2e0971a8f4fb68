// Operations: everything a loader's actor asks of the world it runs in, as plain data.
//
// Values only; an engine reads them while it starts the operation. Durations in nanoseconds, sizes
// in bytes. Labels come from Engine::label().
#pragma once

#include <cstdint>
#include <variant>

#include "core/base/strong_id.h"
#include "core/trace/event.h"

namespace overlane
{

using ActorId = StrongId<struct ActorTag>;                // one host thread or process of the loader
using BufferId = StrongId<struct BufferTag>;              // a block of host memory
using DeviceBufferId = StrongId<struct DeviceBufferTag>;  // a block of device memory
using QueueId = StrongId<struct QueueTag>;
using StreamId = StrongId<struct StreamTag>;
using GpuEventId = StrongId<struct GpuEventTag>;

namespace op
{

// How host work reads its files: within its duration, as files that are in the page cache are read; or
// beside it, out of the page cache, or off the drive because nobody has read them before.
enum class FileRead : std::uint8_t { Included, Cached, Drive };

// Host work that may read files, write one buffer and read another. Kind Loader or HostWork.
struct Work {
    StringId label;
    std::int64_t durationNs = 0;
    BufferId writes;
    BufferId reads;
    std::int64_t fileBytes = 0;
    FileRead read = FileRead::Included;
    EventKind kind = EventKind::Loader;
};

// memcpy between two host buffers, of the first one's size.
struct HostCopy {
    StringId label;
    BufferId from;
    BufferId to;
};

// malloc (Pageable) or cudaHostAlloc (Pinned). Result: the value of its BufferId. First use is not
// part of malloc: it belongs to the work that writes the buffer. Shared memory is mapped afresh each
// time and unmapped when freed, as PyTorch's workers hand over their batches.
struct Allocate {
    MemoryKind kind = MemoryKind::Pageable;
    std::int64_t bytes = 0;
    bool shared = false;
};
struct Free {
    BufferId buffer;
};
struct Register {  // cudaHostRegister
    BufferId buffer;
};
struct Unregister {
    BufferId buffer;
};

// cudaMemcpyAsync, or a copy that the host waits for. Direction CopyH2D or CopyD2H. Copies `bytes`
// at `offset` of both buffers.
struct Copy {
    EventKind direction = EventKind::CopyH2D;
    StreamId stream;
    BufferId host;
    std::int64_t bytes = 0;
    bool async = false;
    DeviceBufferId device;
    std::int64_t offset = 0;
};

// Small kernels run beside each other; the other two fill the device and run one at a time.
enum class KernelLoad : std::uint8_t { Small, Memory, Full };
struct Launch {
    StringId label;
    StreamId stream;
    KernelLoad load = KernelLoad::Full;
    std::int64_t durationNs = 0;  // 0 where `flops` says how much work it is
    DeviceBufferId reads;
    DeviceBufferId writes;  // not valid where nothing is kept
    double flops = 0;       // floating-point operations of a matrix product on this device
};

struct RecordEvent {
    GpuEventId event;
    StreamId stream;
};
struct StreamWaitEvent {
    StreamId stream;
    GpuEventId event;
};
struct SyncEvent {
    GpuEventId event;
};
struct SyncStream {
    StreamId stream;
};
struct SyncDevice {
};

// Queues are unbounded and first in, first out. What was written before a Put is visible to the
// actor that takes the value.
struct Put {
    QueueId queue;
    std::int64_t value = 0;
};
// Result: the value taken, or kQueueClosed once the queue is closed and empty.
struct Take {
    QueueId queue;
    StringId label;  // of the wait
};
struct Close {
    QueueId queue;
};

}  // namespace op

constexpr std::int64_t kQueueClosed = -1;

using Operation = std::variant<op::Work, op::HostCopy, op::Allocate, op::Free, op::Register, op::Unregister, op::Copy,
                               op::Launch, op::RecordEvent, op::StreamWaitEvent, op::SyncEvent, op::SyncStream,
                               op::SyncDevice, op::Put, op::Take, op::Close>;

}  // namespace overlane
