// HostBuffers: the host memory of a run on real hardware: pageable, page-locked and registered
// blocks, what each is meant to hold, and how much is locked.
//
// Owns every block until it is freed or the object is destroyed. Any thread may add, find and free;
// the contents of one block belong to one thread at a time, handed on through the loader's queues.
// Bytes. Locked memory is refused beyond a share of MemAvailable when the object was made.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

#include "core/base/result.h"
#include "core/engine/operation.h"

namespace overlane
{

struct HostBuffer {
    MemoryKind kind = MemoryKind::Pageable;
    bool registered = false;
    bool shared = false;  // mapped for itself, as memory between processes is
    void* address = nullptr;
    std::int64_t bytes = 0;
    std::uint64_t seed = 0;          // of the pattern it is meant to hold (pattern.h); 0 = never written
    bool arrivesFromDevice = false;  // a copy from the device was called for it

    std::uint64_t* words() const { return static_cast<std::uint64_t*>(address); }
    std::uint64_t wordCount() const { return static_cast<std::uint64_t>(bytes) / sizeof(std::uint64_t); }
};

class HostBuffers
{
public:
    // `lockedShareLimit` of available memory may be page-locked; 0 = no limit.
    explicit HostBuffers(double lockedShareLimit);
    ~HostBuffers();
    HostBuffers(const HostBuffers&) = delete;
    HostBuffers& operator=(const HostBuffers&) = delete;

    // Pageable blocks written in advance, so that a batch that costs nothing to produce can be
    // copied as data that lies in memory. Blocks of that size are kept when freed, and handed out
    // again in turn: whoever walks through them meets each as long ago as all the others.
    Result<void> makeReady(std::int64_t bytes, std::int64_t count);

    Result<BufferId> allocate(MemoryKind kind, std::int64_t bytes, bool shared = false);
    Result<void> free(BufferId id);
    Result<void> lockInPlace(BufferId id);  // cudaHostRegister
    Result<void> unlock(BufferId id);       // cudaHostUnregister
    HostBuffer& buffer(BufferId id);

    // Writes the pattern of a new seed.
    void fill(HostBuffer& buffer);
    // Samples of the block against the pattern of `seed`.
    static bool holds(const HostBuffer& buffer, std::uint64_t seed);

    std::int64_t lockedBytes() const;
    std::int64_t lockedPeakBytes() const;

private:
    Result<void> reserveLocked(std::int64_t bytes);
    void releaseLocked(std::int64_t bytes);
    static Result<void*> allocatePageable(std::int64_t bytes, bool shared);
    static void freePageable(const HostBuffer& block);

    const double m_lockedShareLimit;
    const std::int64_t m_availableBytes;
    mutable std::mutex m_mutex;
    std::deque<HostBuffer> m_buffers;
    std::vector<std::uint32_t> m_free;
    std::int64_t m_readyBytes = 0;
    std::deque<HostBuffer> m_ready;
    std::int64_t m_locked = 0;
    std::int64_t m_lockedPeak = 0;
    std::uint64_t m_contents = 0;
};

}  // namespace overlane
