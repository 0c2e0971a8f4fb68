// Host work and host memory of the virtual engine.
#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/engine/virtual_engine_waits.h"

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

bool VirtualEngine::isRemote(ActorId actor, BufferId buffer) const
{
    return m_buffers[buffer.index()].node != m_actorNodes[actor.index()];
}

// A core moves memory no faster than its memcpy does: that is the most that work of its own kind asks.
HostJob VirtualEngine::hostJob(ActorId actor, const HostWork& work) const
{
    HostJob job;
    job.node = m_actorNodes[actor.index()];
    job.lengthNs = work.lengthNs;
    job.actor = actor;
    job.kind = work.kind;
    job.label = work.label;
    job.calledNs = m_nowNs;
    std::size_t at = 0;
    for (const BufferId buffer : {work.reads, work.writes}) {
        if (!buffer.valid())
            continue;
        const double wanted = static_cast<double>(work.bytes) * 1e9 / static_cast<double>(work.lengthNs);
        job.traffic[at++] = {m_buffers[buffer.index()].node, std::min(m_profile.hostMemcpyBytesPerSecond, wanted)};
    }
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
    const std::int64_t lengthNs =
        work.durationNs + std::llround(copiedBytes * 1e9 / m_profile.hostMemcpyBytesPerSecond);
    return startWork(actor, {work.label, work.kind, lengthNs, work.reads, work.writes, bytes},
                     {work.fileBytes, work.read == op::FileRead::Drive}, resume);
}

bool VirtualEngine::begin(ActorId actor, const op::HostCopy& copy, std::int64_t&, std::coroutine_handle<> resume)
{
    const std::int64_t bytes = m_buffers[copy.from.index()].bytes;
    const std::int64_t lengthNs = std::llround(static_cast<double>(bytes) * 1e9 / m_profile.hostMemcpyBytesPerSecond);
    return startWork(actor, {copy.label, EventKind::Loader, lengthNs, copy.from, copy.to, bytes}, {}, resume);
}

bool VirtualEngine::begin(ActorId actor, const op::Allocate& allocate, std::int64_t& result,
                          std::coroutine_handle<> resume)
{
    const bool pinned = allocate.kind == MemoryKind::Pinned;
    result = addBuffer(actor, allocate.kind, allocate.bytes).value();
    std::int64_t readyNs = m_memory.allocate(m_nowNs, allocate.bytes);
    if (pinned)
        readyNs = std::max(readyNs, m_memory.lock(m_nowNs, allocate.bytes));
    noteMemory();
    noteStorageWait(actor, readyNs);
    if (pinned) {
        readyNs += m_profile.hostAllocCost.costNs(allocate.bytes);
        m_recorder.hostEvent(actor, EventKind::RuntimeCall, m_names.hostAlloc, m_nowNs, readyNs);
    } else {
        readyNs += m_profile.mallocCost.costNs(allocate.bytes);
    }
    return finishAt(readyNs, resume);
}

bool VirtualEngine::begin(ActorId actor, const op::Free& release, std::int64_t&, std::coroutine_handle<> resume)
{
    const Buffer& buffer = m_buffers[release.buffer.index()];
    assert(buffer.alive);
    if (buffer.kind == MemoryKind::Pinned)
        return startCall(freePinned(actor, release.buffer, resume));
    dropBuffer(release.buffer);
    return true;
}

// The runtime waits for the copies that use the memory before it unlocks it.
Task VirtualEngine::freePinned(ActorId actor, BufferId id, std::coroutine_handle<> resume)
{
    const std::int64_t startNs = m_nowNs;
    co_await GpuWait{*this, WaitFor::BufferIdle, id.value()};
    const std::int64_t bytes = m_buffers[id.index()].bytes;
    co_await Sleep{*this, m_nowNs + m_profile.hostFreeCost.costNs(bytes)};
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
    readyNs += m_profile.hostRegisterCost.costNs(buffer.bytes);
    m_recorder.hostEvent(actor, EventKind::RuntimeCall, m_names.registerHost, m_nowNs, readyNs);
    return finishAt(readyNs, resume);
}

bool VirtualEngine::begin(ActorId actor, const op::Unregister& unpin, std::int64_t&, std::coroutine_handle<> resume)
{
    Buffer& buffer = m_buffers[unpin.buffer.index()];
    assert(buffer.alive && buffer.kind == MemoryKind::Pinned && buffer.copiesFrom + buffer.copiesTo == 0);
    buffer.kind = MemoryKind::Pageable;
    m_memory.unlock(buffer.bytes);
    noteMemory();
    const std::int64_t endNs = m_nowNs + m_profile.hostUnregisterCost.costNs(buffer.bytes);
    m_recorder.hostEvent(actor, EventKind::RuntimeCall, m_names.unregisterHost, m_nowNs, endNs);
    return finishAt(endNs, resume);
}

}  // namespace overlane
