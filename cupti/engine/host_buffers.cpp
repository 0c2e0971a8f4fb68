#include "cupti/engine/host_buffers.h"

#include <algorithm>
#include <cstdlib>
#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <limits>
#include <string>
#include <sys/mman.h>

#include "core/base/text_file.h"
#include "core/base/units.h"
#include "core/system/machine_memory.h"
#include "cupti/engine/pattern.h"

namespace overlane
{
namespace
{

constexpr std::size_t kPageBytes = 4096;

// The C library reuses a freed block with its pages only if it has freed one as large before: up to 32 MiB, that is
// when it stops mapping every block afresh (mallopt(3), M_MMAP_THRESHOLD). A page-aligned block is a page larger
// than what it remembers of the last of the same size, so that a young process would map each afresh for ever; one
// that has trained for a while does not. With this a run takes as long whatever ran before it.
void keepBlocksLikeAnOldProcess()
{
    constexpr std::size_t kLargestKept = (std::size_t{32} << 20) - 2 * kPageBytes;
    void* volatile block = std::malloc(kLargestKept);
    std::free(block);
}

// MemAvailable of /proc/meminfo; where it cannot be read nothing is limited.
std::int64_t availableBytes()
{
    const std::int64_t bytes = parseMemoryParts(textOfFile("/proc/meminfo")).availableBytes;
    return bytes > 0 ? bytes : std::numeric_limits<std::int64_t>::max();
}

Error allocationFailure(const char* call, std::int64_t bytes, cudaError_t code, std::int64_t lockedBytes)
{
    cudaGetLastError();  // clears it
    return Error{
        fmt::format("{} of {} failed with {} page-locked already: {}. Lower batch_bytes, workers or "
                    "prefetch_factor.",
                    call, formatBytes(bytes), formatBytes(lockedBytes), cudaGetErrorString(code))};
}

}  // namespace

HostBuffers::HostBuffers(double lockedShareLimit)
    : m_lockedShareLimit(lockedShareLimit), m_availableBytes(availableBytes())
{
    keepBlocksLikeAnOldProcess();
}

HostBuffers::~HostBuffers()
{
    for (HostBuffer& buffer : m_buffers) {
        if (buffer.registered)
            cudaHostUnregister(buffer.address);
        if (buffer.kind == MemoryKind::Pinned && !buffer.registered)
            cudaFreeHost(buffer.address);
        else
            freePageable(buffer);
    }
    for (const HostBuffer& buffer : m_ready)
        freePageable(buffer);
}

Result<void> HostBuffers::makeReady(std::int64_t bytes, std::int64_t count)
{
    m_readyBytes = bytes;
    for (std::int64_t made = 0; made < count; ++made) {
        ASSIGN_OR_RETURN(auto memory, allocatePageable(bytes, false));
        HostBuffer block{MemoryKind::Pageable, false, false, memory, bytes};
        fill(block);
        m_ready.push_back(block);
    }
    return {};
}

Result<void*> HostBuffers::allocatePageable(std::int64_t bytes, bool shared)
{
    void* memory = nullptr;
    const auto size = static_cast<std::size_t>(bytes);
    if (shared)
        memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const bool failed = shared ? memory == MAP_FAILED : posix_memalign(&memory, kPageBytes, size) != 0;
    if (failed)
        return Error{fmt::format("No memory for a block of {}. Lower batch_bytes, workers or prefetch_factor.",
                                 formatBytes(bytes))};
    return memory;
}

void HostBuffers::freePageable(const HostBuffer& block)
{
    if (block.shared)
        munmap(block.address, static_cast<std::size_t>(block.bytes));
    else
        std::free(block.address);
}

Result<void> HostBuffers::reserveLocked(std::int64_t bytes)
{
    const std::lock_guard lock(m_mutex);
    const auto limit = static_cast<std::int64_t>(m_lockedShareLimit * static_cast<double>(m_availableBytes));
    if (m_lockedShareLimit > 0 && m_locked + bytes > limit)
        return Error{
            fmt::format("This run would page-lock more than {}, {} of the {} that were available: {} are "
                        "locked and {} more are asked for. Lower workers, prefetch_factor or batch_bytes, or "
                        "use --force if the machine may run short of memory.",
                        formatBytes(limit), formatShare(m_lockedShareLimit), formatBytes(m_availableBytes),
                        formatBytes(m_locked), formatBytes(bytes))};
    m_locked += bytes;
    m_lockedPeak = std::max(m_lockedPeak, m_locked);
    return {};
}

void HostBuffers::releaseLocked(std::int64_t bytes)
{
    const std::lock_guard lock(m_mutex);
    m_locked -= bytes;
}

Result<BufferId> HostBuffers::allocate(MemoryKind kind, std::int64_t bytes, bool shared)
{
    HostBuffer block{kind, false, false, nullptr, bytes};
    if (kind == MemoryKind::Pinned) {
        RETURN_IF_ERROR(reserveLocked(bytes));
        if (const auto code = cudaHostAlloc(&block.address, static_cast<std::size_t>(bytes), cudaHostAllocDefault);
            code != cudaSuccess) {
            releaseLocked(bytes);
            return allocationFailure("cudaHostAlloc", bytes, code, lockedBytes());
        }
    } else {
        const std::lock_guard lock(m_mutex);
        if (bytes == m_readyBytes && !m_ready.empty()) {
            block = m_ready.front();
            m_ready.pop_front();
        }
    }
    if (block.address == nullptr) {
        ASSIGN_OR_RETURN(auto memory, allocatePageable(bytes, shared));
        block.address = memory;
        block.shared = shared;
    }
    const std::lock_guard lock(m_mutex);
    if (m_free.empty()) {
        m_buffers.push_back(block);
        return BufferId(m_buffers.size() - 1);
    }
    const std::uint32_t index = m_free.back();
    m_free.pop_back();
    m_buffers[index] = block;
    return BufferId(index);
}

Result<void> HostBuffers::free(BufferId id)
{
    const HostBuffer block = buffer(id);
    if (block.kind == MemoryKind::Pinned) {
        if (const auto code = cudaFreeHost(block.address); code != cudaSuccess)
            return Error{fmt::format("cudaFreeHost failed: {}.", cudaGetErrorString(code))};
        releaseLocked(block.bytes);
    }
    const bool ready = block.kind == MemoryKind::Pageable && block.bytes == m_readyBytes && block.seed != 0;
    if (block.kind == MemoryKind::Pageable && !ready)
        freePageable(block);  // takes as long as its pages are many: nobody waits for it
    const std::lock_guard lock(m_mutex);
    if (ready)
        m_ready.push_back(block);
    m_buffers[id.index()] = {};
    m_free.push_back(id.value());
    return {};
}

Result<void> HostBuffers::lockInPlace(BufferId id)
{
    HostBuffer& block = buffer(id);
    RETURN_IF_ERROR(reserveLocked(block.bytes));
    if (const auto code =
            cudaHostRegister(block.address, static_cast<std::size_t>(block.bytes), cudaHostRegisterDefault);
        code != cudaSuccess) {
        releaseLocked(block.bytes);
        return allocationFailure("cudaHostRegister", block.bytes, code, lockedBytes());
    }
    block.registered = true;
    return {};
}

Result<void> HostBuffers::unlock(BufferId id)
{
    HostBuffer& block = buffer(id);
    if (const auto code = cudaHostUnregister(block.address); code != cudaSuccess)
        return Error{fmt::format("cudaHostUnregister failed: {}.", cudaGetErrorString(code))};
    block.registered = false;
    releaseLocked(block.bytes);
    return {};
}

HostBuffer& HostBuffers::buffer(BufferId id)
{
    const std::lock_guard lock(m_mutex);
    return m_buffers[id.index()];  // a deque keeps references valid while it grows
}

void HostBuffers::fill(HostBuffer& buffer)
{
    {
        const std::lock_guard lock(m_mutex);
        buffer.seed = scatter(++m_contents);
    }
    std::uint64_t* words = buffer.words();
    const std::uint64_t count = buffer.wordCount();
    for (std::uint64_t at = 0; at < count; ++at)
        words[at] = patternWord(buffer.seed, at);
}

bool HostBuffers::holds(const HostBuffer& buffer, std::uint64_t seed)
{
    const volatile std::uint64_t* words = buffer.words();
    for (std::uint64_t at = 0; at < buffer.wordCount(); at += kWordsPerSample)
        if (words[at] != patternWord(seed, at))
            return false;
    return true;
}

std::int64_t HostBuffers::lockedBytes() const
{
    const std::lock_guard lock(m_mutex);
    return m_locked;
}

std::int64_t HostBuffers::lockedPeakBytes() const
{
    const std::lock_guard lock(m_mutex);
    return m_lockedPeak;
}

}  // namespace overlane
