// Host work and host memory of the virtual engine.
#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/simulation/coldness.h"
#include "core/simulation/virtual_engine_waits.h"

namespace overlane
{

BufferId VirtualEngine::addBuffer(ActorId actor, MemoryKind kind, std::int64_t bytes)
{
    std::uint32_t index = static_cast<std::uint32_t>(m_buffers.size());
    if (m_freeBuffers.empty()) {
        m_buffers.emplace_back();
    } else {
        index = m_freeBuffers.back();
        m_freeBuffers.pop_back();
    }
    Buffer buffer;
    buffer.kind = kind;
    buffer.alive = true;
    buffer.node = m_actorNodes[actor.index()];
    buffer.bytes = bytes;
    m_buffers[index] = buffer;
    return BufferId(index);
}

void VirtualEngine::dropBuffer(BufferId id)
{
    Buffer& buffer = m_buffers[id.index()];
    if (buffer.kind == MemoryKind::Pinned)
        m_memory.unlock(buffer.bytes);
    m_memory.release(buffer.bytes);
    buffer.alive = false;
    m_freeBuffers.push_back(id.value());
    noteMemory();
}

void VirtualEngine::noteMemory()
{
    m_pinnedPeak = std::max(m_pinnedPeak, m_memory.lockedBytes());
    m_swapPeak = std::max(m_swapPeak, m_memory.swapUsedBytes());
    m_recorder.memory(m_nowNs, m_memory);
}

void VirtualEngine::noteStorageWait(ActorId actor, std::int64_t untilNs)
{
    if (untilNs > m_nowNs)
        m_recorder.hostEvent(actor, EventKind::LoaderWait, m_names.storageWait, m_nowNs, untilNs);
}

void VirtualEngine::useBuffer(ActorId actor, BufferId id, bool writes, std::int64_t bytes)
{
    Buffer& buffer = m_buffers[id.index()];
    assert(buffer.alive);
    if (writes && buffer.copiesFrom > 0)
        m_recorder.hostEvent(actor, EventKind::Instant, m_names.rewriteHazard, m_nowNs, m_nowNs);
    if (!writes && buffer.copiesTo > 0)
        m_recorder.hostEvent(actor, EventKind::Instant, m_names.readHazard, m_nowNs, m_nowNs);
    m_cacheTraffic += static_cast<std::uint64_t>(bytes);
    buffer.touchedAt = m_cacheTraffic;
    if (writes) {
        buffer.writer = actor;
        buffer.fromDevice = false;
    }
}

std::int64_t VirtualEngine::unlockedBytes(BufferId id) const
{
    if (!id.valid() || m_buffers[id.index()].kind != MemoryKind::Pageable)
        return 0;
    return m_buffers[id.index()].bytes;
}

std::int64_t VirtualEngine::bringIn(ActorId actor, std::int64_t unlockedBytes, FileUse files)
{
    const std::int64_t readyNs = m_memory.touch(m_nowNs, unlockedBytes, files.bytes, files.offTheDrive);
    if (readyNs > m_nowNs) {
        noteStorageWait(actor, readyNs);
        noteMemory();
    }
    return readyNs;
}

// By the logarithm of the bytes that passed the caches since the buffer was last used, between well inside
// and well outside the last level cache. Of what another core wrote only a small part is near; what the device
// wrote is read at a rate in between (fitted to runs that read results of 1 to 15 MB on one H200).
double VirtualEngine::coldness(ActorId actor, const Buffer& buffer, std::int64_t bytes) const
{
    if (buffer.touchedAt == 0)
        return 1;
    constexpr double kFromDevice = 0.4;
    const bool another = buffer.writer.valid() && buffer.writer != actor;
    const double byDistance =
        overlane::coldness(m_cacheTraffic - buffer.touchedAt + bytes, m_profile.lastLevelCacheBytes, another);
    return std::max(byDistance, buffer.fromDevice ? kFromDevice : 0.0);
}

std::int64_t VirtualEngine::memcpyNs(ActorId actor, BufferId from, std::int64_t bytes) const
{
    const double rate = m_profile.hostMemcpyWarmBytesPerSecond *
                        std::pow(m_profile.hostMemcpyBytesPerSecond / m_profile.hostMemcpyWarmBytesPerSecond,
                                 coldness(actor, m_buffers[from.index()], bytes));
    return std::llround(static_cast<double>(bytes) * 1e9 / rate);
}

std::int64_t VirtualEngine::writeNs(ActorId actor, BufferId id) const
{
    const Buffer& buffer = m_buffers[id.index()];
    if (buffer.fresh)
        return std::llround(
            slownessOf(actor) *
            static_cast<double>(
                (buffer.shared ? m_profile.sharedTouchCost : m_profile.firstTouchCost).costNs(buffer.bytes)));
    // Caches quicken writing as they quicken copying.
    const double warm = m_profile.hostMemcpyWarmBytesPerSecond / m_profile.hostMemcpyBytesPerSecond;
    const double rate = m_profile.hostWriteBytesPerSecond * std::pow(warm, 1 - coldness(actor, buffer, buffer.bytes));
    return std::llround(static_cast<double>(buffer.bytes) * 1e9 / rate);
}

std::int64_t VirtualEngine::hostAllocNs(Buffer& buffer)
{
    const std::int64_t size = m_profile.hostAllocChunkBytes;
    if (buffer.bytes >= size)
        return m_profile.hostAllocCost.costNs(buffer.bytes);
    const auto fits = [&](std::int64_t used) { return used > 0 && used + buffer.bytes <= size; };
    auto chunk = std::find_if(m_pinnedChunks.begin(), m_pinnedChunks.end(), fits);
    const bool found = chunk != m_pinnedChunks.end();
    if (!found)
        chunk = std::find(m_pinnedChunks.begin(), m_pinnedChunks.end(), 0);
    if (chunk == m_pinnedChunks.end())
        chunk = m_pinnedChunks.insert(chunk, 0);
    *chunk += buffer.bytes;
    buffer.chunk = static_cast<std::uint32_t>(chunk - m_pinnedChunks.begin());
    return found ? m_profile.copyCallNs : m_profile.hostAllocCost.costNs(size);
}

std::int64_t VirtualEngine::hostFreeNs(const Buffer& buffer)
{
    if (buffer.bytes >= m_profile.hostAllocChunkBytes)
        return m_profile.hostFreeCost.costNs(buffer.bytes);
    std::int64_t& used = m_pinnedChunks[buffer.chunk];
    used -= buffer.bytes;
    return used > 0 ? m_profile.copyCallNs : m_profile.hostFreeCost.costNs(m_profile.hostAllocChunkBytes);
}

// The C library keeps smaller blocks, once it has met their size, and hands them out again with their pages.
std::int64_t VirtualEngine::pageableFreeNs(const Buffer& buffer)
{
    if (buffer.ready || buffer.fresh)
        return 0;
    if (buffer.shared)
        return m_profile.sharedFreeCost.costNs(buffer.bytes);
    if (buffer.bytes > m_profile.mallocKeepsBytes)
        return m_profile.pageableFreeCost.costNs(buffer.bytes);
    const auto kept = std::find_if(m_kept.begin(), m_kept.end(),
                                   [&](const KeptBlocks& blocks) { return blocks.bytes == buffer.bytes; });
    if (kept != m_kept.end()) {
        kept->free.push_back(buffer.touchedAt);
        return 0;
    }
    m_kept.push_back({buffer.bytes, {}});
    return m_profile.pageableFreeCost.costNs(buffer.bytes);
}

BufferId VirtualEngine::takePageable(ActorId actor, const op::Allocate& allocate, std::int64_t& costNs)
{
    const BufferId id = addBuffer(actor, MemoryKind::Pageable, allocate.bytes);
    Buffer& buffer = m_buffers[id.index()];
    if (allocate.bytes == m_readyBytes && !m_ready.empty()) {
        buffer.ready = true;
        buffer.touchedAt = m_ready.front();
        m_ready.pop_front();
        return id;
    }
    buffer.shared = allocate.shared;
    buffer.fresh = m_clockStarted;
    costNs = m_profile.mallocCost.costNs(allocate.bytes);
    const auto kept = std::find_if(m_kept.begin(), m_kept.end(),
                                   [&](const KeptBlocks& blocks) { return blocks.bytes == allocate.bytes; });
    if (!allocate.shared && kept != m_kept.end() && !kept->free.empty()) {
        buffer.touchedAt = kept->free.back();
        kept->free.pop_back();
        buffer.fresh = false;
    }
    return id;
}

bool VirtualEngine::isRemote(ActorId actor, BufferId buffer) const
{
    return m_buffers[buffer.index()].node != m_actorNodes[actor.index()];
}

// A core that does nothing but move memory reads and writes as fast as its memcpy.
HostJob VirtualEngine::hostJob(ActorId actor, const HostWork& work) const
{
    HostJob job;
    job.node = m_actorNodes[actor.index()];
    job.lengthNs = work.lengthNs;
    job.actor = actor;
    job.kind = work.kind;
    job.label = work.label;
    job.calledNs = m_nowNs;
    job.memoryShare = std::min(
        1.0, static_cast<double>(work.memoryNs) / static_cast<double>(std::max<std::int64_t>(1, work.lengthNs)));
    const bool both = work.reads.valid() && work.writes.valid();
    double wanted = (both ? 1 : 2) * m_profile.hostMemcpyBytesPerSecond * job.memoryShare;
    // The kernel clears fresh pages first, one by one: all threads together do it at a rate of their own.
    if (work.fresh)
        wanted = m_profile.hostMemoryBytesPerSecond / m_profile.freshPagesBytesPerSecond *
                 static_cast<double>(work.bytes) * 1e9 / static_cast<double>(work.lengthNs);
    std::size_t at = 0;
    for (const BufferId buffer : {work.reads, work.writes})
        if (buffer.valid())
            job.traffic[at++] = {m_buffers[buffer.index()].node, wanted};
    if (at == 0)
        job.traffic[0] = {job.node, wanted};  // the kernel's own work on pages
    return job;
}

bool VirtualEngine::startWork(ActorId actor, const HostWork& work, FileUse files, std::coroutine_handle<> resume)
{
    HostWork slowed = work;
    std::int64_t pages = 0;
    for (const BufferId buffer : {work.reads, work.writes}) {
        if (!buffer.valid())
            continue;
        pages += unlockedBytes(buffer);
        // Half of a memcpy's time is one side's memory.
        if (isRemote(actor, buffer))
            slowed.lengthNs += std::llround(0.5e9 * static_cast<double>(work.bytes) /
                                            m_profile.hostMemcpyBytesPerSecond * (1 / m_profile.remoteMemoryRatio - 1));
    }
    const std::int64_t startNs = bringIn(actor, pages, files);
    for (const BufferId buffer : {work.reads, work.writes})
        if (buffer.valid())
            useBuffer(actor, buffer, buffer == work.writes, work.bytes);
    if (work.writes.valid())
        m_buffers[work.writes.index()].fresh = false;
    if (slowed.lengthNs <= 0) {
        m_recorder.hostEvent(actor, work.kind, work.label, m_nowNs, startNs);
        return finishAt(startNs, resume);
    }
    HostJob job = hostJob(actor, slowed);
    job.resume = resume;
    m_host.run(m_nowNs, startNs, job);
    return false;
}

bool VirtualEngine::begin(ActorId actor, const op::Work& work, std::int64_t&, std::coroutine_handle<> resume)
{
    const BufferId buffer = work.writes.valid() ? work.writes : work.reads;
    const std::int64_t bytes = buffer.valid() ? m_buffers[buffer.index()].bytes : 0;
    // read() copies out of the page cache.
    const double copiedBytes = work.read == op::FileRead::Included ? 0 : static_cast<double>(work.fileBytes);
    // A batch is written within its time, which no worker can make shorter than the writing is.
    const bool fresh = work.writes.valid() && m_buffers[work.writes.index()].fresh;
    const std::int64_t writingNs = work.writes.valid() ? writeNs(actor, work.writes) : 0;
    const std::int64_t readingNs = std::llround(copiedBytes * 1e9 / m_profile.hostMemcpyBytesPerSecond);
    const std::int64_t lengthNs = std::max(work.durationNs, writingNs) + readingNs;
    return startWork(
        actor, {work.label, work.kind, lengthNs, work.reads, work.writes, bytes, writingNs + readingNs / 2, fresh},
        {work.fileBytes, work.read == op::FileRead::Drive}, resume);
}

bool VirtualEngine::begin(ActorId actor, const op::HostCopy& copy, std::int64_t&, std::coroutine_handle<> resume)
{
    const std::int64_t bytes = m_buffers[copy.from.index()].bytes;
    const std::int64_t lengthNs = memcpyNs(actor, copy.from, bytes);
    return startWork(actor, {copy.label, EventKind::Loader, lengthNs, copy.from, copy.to, bytes, lengthNs}, {}, resume);
}

bool VirtualEngine::begin(ActorId actor, const op::Allocate& allocate, std::int64_t& result,
                          std::coroutine_handle<> resume)
{
    const bool pinned = allocate.kind == MemoryKind::Pinned;
    std::int64_t costNs = 0;
    const BufferId id =
        pinned ? addBuffer(actor, allocate.kind, allocate.bytes) : takePageable(actor, allocate, costNs);
    if (pinned)
        costNs = hostAllocNs(m_buffers[id.index()]);
    result = id.value();
    std::int64_t readyNs = m_memory.allocate(m_nowNs, allocate.bytes);
    if (pinned)
        readyNs = std::max(readyNs, m_memory.lock(m_nowNs, allocate.bytes));
    noteMemory();
    noteStorageWait(actor, readyNs);
    if (pinned)
        return pageWork(actor, EventKind::RuntimeCall, m_names.hostAlloc, readyNs, costNs, resume);
    return finishAt(readyNs + costNs, resume);
}

// Work of the kernel on the pages of a buffer: it shares cores and memory with everybody's else.
bool VirtualEngine::pageWork(ActorId actor, EventKind kind, StringId name, std::int64_t startNs, std::int64_t lengthNs,
                             std::coroutine_handle<> resume)
{
    if (lengthNs <= 0)
        return finishAt(startNs, resume);
    HostJob job = hostJob(actor, {name, kind, lengthNs, {}, {}, 0, lengthNs});
    job.resume = resume;
    m_host.run(m_nowNs, startNs, job);
    return false;
}

bool VirtualEngine::begin(ActorId actor, const op::Free& release, std::int64_t&, std::coroutine_handle<> resume)
{
    const Buffer& buffer = m_buffers[release.buffer.index()];
    assert(buffer.alive);
    if (buffer.kind == MemoryKind::Pinned)
        return startCall(freePinned(actor, release.buffer, resume));
    if (buffer.ready)
        m_ready.push_back(buffer.touchedAt);
    const std::int64_t lengthNs = pageableFreeNs(buffer);
    dropBuffer(release.buffer);
    return pageWork(actor, EventKind::HostWork, m_names.freePageable, m_nowNs, lengthNs, resume);
}

// The runtime waits for all work of the device before it unlocks memory.
Task VirtualEngine::freePinned(ActorId actor, BufferId id, std::coroutine_handle<> resume)
{
    const std::int64_t startNs = m_nowNs;
    co_await GpuWait{*this, WaitFor::Device};
    co_await Sleep{*this, m_nowNs + hostFreeNs(m_buffers[id.index()])};
    dropBuffer(id);
    m_recorder.hostEvent(actor, EventKind::RuntimeCall, m_names.freeHost, startNs, m_nowNs);
    resumeAt(m_nowNs, resume);
}

bool VirtualEngine::begin(ActorId actor, const op::Register& pin, std::int64_t&, std::coroutine_handle<> resume)
{
    Buffer& buffer = m_buffers[pin.buffer.index()];
    assert(buffer.alive && buffer.kind == MemoryKind::Pageable);
    std::int64_t readyNs = bringIn(actor, buffer.bytes, {});  // pages that were out must come back to be locked
    buffer.kind = MemoryKind::Pinned;
    readyNs = std::max(readyNs, m_memory.lock(m_nowNs, buffer.bytes));
    noteMemory();
    return pageWork(actor, EventKind::RuntimeCall, m_names.registerHost, readyNs,
                    m_profile.hostRegisterCost.costNs(buffer.bytes), resume);
}

bool VirtualEngine::begin(ActorId actor, const op::Unregister& unpin, std::int64_t&, std::coroutine_handle<> resume)
{
    return startCall(unregister(actor, unpin.buffer, resume));
}

Task VirtualEngine::unregister(ActorId actor, BufferId id, std::coroutine_handle<> resume)
{
    assert(m_buffers[id.index()].alive && m_buffers[id.index()].kind == MemoryKind::Pinned);
    const std::int64_t startNs = m_nowNs;
    co_await GpuWait{*this, WaitFor::Device};
    co_await Sleep{*this, m_nowNs + m_profile.hostUnregisterCost.costNs(m_buffers[id.index()].bytes)};
    Buffer& buffer = m_buffers[id.index()];
    buffer.kind = MemoryKind::Pageable;
    m_memory.unlock(buffer.bytes);
    noteMemory();
    m_recorder.hostEvent(actor, EventKind::RuntimeCall, m_names.unregisterHost, startNs, m_nowNs);
    resumeAt(m_nowNs, resume);
}

}  // namespace overlane
