// Host work and host memory of the virtual engine.
#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/engine/virtual_engine_waits.h"

namespace overlane
{

BufferId VirtualEngine::addBuffer(MemoryKind kind, std::int64_t bytes)
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
    buffer.bytes = bytes;
    m_buffers[index] = buffer;
    return BufferId(index);
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

std::int64_t VirtualEngine::bringIn(ActorId actor, std::int64_t unlockedBytes, std::int64_t fileBytes)
{
    const std::int64_t readyNs = m_memory.touch(m_nowNs, unlockedBytes, fileBytes);
    if (readyNs > m_nowNs) {
        noteStorageWait(actor, readyNs);
        noteMemory();
    }
    return readyNs;
}

bool VirtualEngine::begin(ActorId actor, const op::Work& work, std::int64_t&, std::coroutine_handle<> resume)
{
    const std::int64_t pages = unlockedBytes(work.writes) + unlockedBytes(work.reads);
    const std::int64_t endNs = bringIn(actor, pages, work.fileBytes) + work.durationNs;
    if (work.writes.valid())
        useBuffer(actor, work.writes, true, m_buffers[work.writes.index()].bytes);
    if (work.reads.valid())
        useBuffer(actor, work.reads, false, m_buffers[work.reads.index()].bytes);
    m_recorder.hostEvent(actor, work.kind, work.label, m_nowNs, endNs);
    return finishAt(endNs, resume);
}

bool VirtualEngine::begin(ActorId actor, const op::HostCopy& copy, std::int64_t&, std::coroutine_handle<> resume)
{
    const std::int64_t bytes = m_buffers[copy.from.index()].bytes;
    const std::int64_t endNs = bringIn(actor, unlockedBytes(copy.from) + unlockedBytes(copy.to), 0) +
                               std::llround(static_cast<double>(bytes) * 1e9 / m_profile.hostMemcpyBytesPerSecond);
    useBuffer(actor, copy.from, false, bytes);
    useBuffer(actor, copy.to, true, bytes);
    m_recorder.hostEvent(actor, EventKind::Loader, copy.label, m_nowNs, endNs);
    return finishAt(endNs, resume);
}

bool VirtualEngine::begin(ActorId actor, const op::Allocate& allocate, std::int64_t& result,
                          std::coroutine_handle<> resume)
{
    const bool pinned = allocate.kind == MemoryKind::Pinned;
    result = addBuffer(allocate.kind, allocate.bytes).value();
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
    m_memory.release(buffer.bytes);
    m_buffers[release.buffer.index()].alive = false;
    m_freeBuffers.push_back(release.buffer.value());
    noteMemory();
    return true;
}

// The runtime waits for the copies that use the memory before it unlocks it.
Task VirtualEngine::freePinned(ActorId actor, BufferId id, std::coroutine_handle<> resume)
{
    const std::int64_t startNs = m_nowNs;
    co_await GpuWait{*this, WaitFor::BufferIdle, id.value()};
    const std::int64_t bytes = m_buffers[id.index()].bytes;
    co_await Sleep{*this, m_nowNs + m_profile.hostFreeCost.costNs(bytes)};
    m_memory.unlock(bytes);
    m_memory.release(bytes);
    m_buffers[id.index()].alive = false;
    m_freeBuffers.push_back(id.value());
    noteMemory();
    m_recorder.hostEvent(actor, EventKind::RuntimeCall, m_names.freeHost, startNs, m_nowNs);
    resumeAt(m_nowNs, resume);
}

bool VirtualEngine::begin(ActorId actor, const op::Register& pin, std::int64_t&, std::coroutine_handle<> resume)
{
    Buffer& buffer = m_buffers[pin.buffer.index()];
    assert(buffer.alive && buffer.kind == MemoryKind::Pageable);
    std::int64_t readyNs = bringIn(actor, buffer.bytes, 0);  // pages that were out must come back to be locked
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
