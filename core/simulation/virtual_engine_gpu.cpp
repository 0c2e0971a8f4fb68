// Calls of the virtual engine that reach the GPU: what each promises, and when it returns.
#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/simulation/virtual_engine_waits.h"

namespace overlane
{

bool VirtualEngine::startCall(Task task)
{
    if (m_calls.size() > 16)
        std::erase_if(m_calls, [](const Task& call) { return call.done(); });
    const auto handle = task.handle();
    m_calls.push_back(std::move(task));
    handle.resume();
    return false;
}

std::int64_t VirtualEngine::linkNs(EventKind direction, std::int64_t bytes, bool remote) const
{
    const double rate = (direction == EventKind::CopyD2H ? m_profile.d2hBytesPerSecond : m_profile.h2dBytesPerSecond) *
                        (remote ? m_profile.remoteDmaRatio : 1);
    return std::llround(static_cast<double>(bytes) * 1e9 / rate) + m_profile.copyLatencyNs;
}

double VirtualEngine::stagingRate(ActorId actor, BufferId host, EventKind direction, std::int64_t bytes) const
{
    const double remote = isRemote(actor, host) ? m_profile.remoteMemoryRatio : 1;
    if (direction == EventKind::CopyD2H)
        return remote * m_profile.stagingD2hBytesPerSecond;
    return remote * m_profile.stagingWarmBytesPerSecond *
           std::pow(m_profile.stagingColdBytesPerSecond / m_profile.stagingWarmBytesPerSecond,
                    coldness(actor, m_buffers[host.index()], bytes));
}

GpuWork VirtualEngine::copyWork(const op::Copy& copy) const
{
    GpuWork work;
    work.kind = GpuWork::Kind::Copy;
    work.direction = copy.direction;
    work.async = copy.async;
    work.stream = copy.stream;
    work.host = copy.host;
    work.bytes = copy.bytes;
    const Buffer& buffer = m_buffers[copy.host.index()];
    work.hostMemory = buffer.kind;
    work.lengthNs = linkNs(copy.direction, copy.bytes, buffer.node != m_gpuNode);
    return work;
}

std::uint64_t VirtualEngine::submit(GpuWork work)
{
    if (work.kind == GpuWork::Kind::Copy && work.host.valid()) {
        Buffer& buffer = m_buffers[work.host.index()];
        ++(work.direction == EventKind::CopyD2H ? buffer.copiesTo : buffer.copiesFrom);
    }
    return m_gpu.submit(m_nowNs, work);
}

// A call that only queues work: it returns at once, unless too much is queued already.
bool VirtualEngine::queueOrWait(ActorId actor, const GpuWork& work, std::int64_t callNs, StringId name,
                                std::coroutine_handle<> resume)
{
    if (launchQueueFull())
        return startCall(queueWork(actor, work, callNs, name, resume));
    GpuWork queued = work;
    queued.submittedNs = m_nowNs + callNs;
    const bool visible = work.kind == GpuWork::Kind::Copy || work.kind == GpuWork::Kind::Kernel;
    queued.correlation = visible ? ++m_correlation : 0;
    m_recorder.hostEvent(actor, EventKind::RuntimeCall, name, m_nowNs, queued.submittedNs, queued.correlation);
    submit(queued);
    return finishAt(queued.submittedNs, resume);
}

Task VirtualEngine::queueWork(ActorId actor, GpuWork work, std::int64_t callNs, StringId name,
                              std::coroutine_handle<> resume)
{
    const std::int64_t startNs = m_nowNs;
    co_await GpuWait{*this, WaitFor::LaunchSlot};
    m_recorder.hostEvent(actor, EventKind::HostBlocked, m_names.queueFull, startNs, m_nowNs);
    work.submittedNs = m_nowNs + callNs;
    const bool visible = work.kind == GpuWork::Kind::Copy || work.kind == GpuWork::Kind::Kernel;
    work.correlation = visible ? ++m_correlation : 0;
    m_recorder.hostEvent(actor, EventKind::RuntimeCall, name, startNs, work.submittedNs, work.correlation);
    const std::int64_t endNs = work.submittedNs;
    submit(work);
    resumeAt(endNs, resume);
}

bool VirtualEngine::begin(ActorId actor, const op::Copy& copy, std::int64_t&, std::coroutine_handle<> resume)
{
    const Buffer& buffer = m_buffers[copy.host.index()];
    assert(buffer.alive && copy.bytes > 0 && copy.bytes <= buffer.bytes);
    if (buffer.kind != MemoryKind::Pinned)
        return startCall(stagedCopy(actor, copy, resume));
    if (!copy.async)
        return startCall(pinnedCopy(actor, copy, resume));
    return queueOrWait(actor, copyWork(copy), m_profile.copyCallNs, m_names.memcpyAsync, resume);
}

// Page-locked memory and a host that waits: returns when the transfer is done.
Task VirtualEngine::pinnedCopy(ActorId actor, op::Copy copy, std::coroutine_handle<> resume)
{
    const std::int64_t startNs = m_nowNs;
    co_await GpuWait{*this, WaitFor::LaunchSlot};
    GpuWork work = copyWork(copy);
    work.submittedNs = m_nowNs + m_profile.copyCallNs;
    const std::uint32_t correlation = work.correlation = ++m_correlation;
    const std::uint64_t ticket = submit(work);
    co_await GpuWait{*this, WaitFor::StreamDone, copy.stream.value(), ticket};
    co_await Sleep{*this, m_nowNs + m_profile.syncReturnNs};
    m_recorder.hostEvent(actor, EventKind::RuntimeCall, m_names.memcpySync, startNs, m_nowNs, correlation);
    resumeAt(m_nowNs, resume);
}

// Pageable memory. The driver passes the data through its staging buffer, chunk by chunk. To the device it
// returns once the last chunk is in the buffer; the first chunks are taken before the stream is free, as many
// as the buffer holds, and small data goes with the command itself. To the host, both calls return when the
// data has arrived.
Task VirtualEngine::stagedCopy(ActorId actor, op::Copy copy, std::coroutine_handle<> resume)
{
    const std::int64_t startNs = m_nowNs;
    const bool toHost = copy.direction == EventKind::CopyD2H;
    co_await GpuWait{*this, WaitFor::LaunchSlot};
    GpuWork work = copyWork(copy);
    const double rate = stagingRate(actor, copy.host, copy.direction, copy.bytes);
    const std::int64_t stagingNs = std::llround(static_cast<double>(copy.bytes) * 1e9 / rate);
    const std::uint32_t correlation = work.correlation = ++m_correlation;
    const StringId name = copy.async ? m_names.memcpyAsync : m_names.memcpySync;
    const std::int64_t pagesReadyNs = bringIn(actor, copy.bytes, {});
    const std::uint64_t touchedAt = m_buffers[copy.host.index()].touchedAt;
    useBuffer(actor, copy.host, toHost, copy.bytes);
    // A part of a batch brings the other parts no nearer.
    if (copy.offset + copy.bytes < m_buffers[copy.host.index()].bytes)
        m_buffers[copy.host.index()].touchedAt = touchedAt;
    co_await Sleep{*this, pagesReadyNs + m_profile.copyCallNs};
    if (!toHost && copy.bytes <= m_profile.inlineCopyBytes) {
        work.host = {};  // the source may be reused once the call has returned
        work.submittedNs = m_nowNs + stagingNs;
        const std::int64_t endNs = work.submittedNs;
        submit(work);
        co_await Sleep{*this, endNs};
    } else {
        co_await Sleep{*this, m_nowNs + m_profile.stagingCallNs};
        const std::int64_t stagingFromNs = m_nowNs;
        const BufferId none;
        const HostModel::JobId staging = m_host.occupy(
            m_nowNs, hostJob(actor, {m_names.staging, EventKind::HostBlocked, stagingNs, toHost ? none : copy.host,
                                     toHost ? copy.host : none, copy.bytes, stagingNs}));
        const double perByteNs =
            static_cast<double>(stagingNs) / m_host.rate(staging) / static_cast<double>(copy.bytes);
        if (toHost) {
            work.submittedNs = m_nowNs;
            work.lengthNs = std::llround(static_cast<double>(copy.bytes) * perByteNs) + m_profile.copyLatencyNs;
            const std::uint64_t ticket = submit(work);
            co_await GpuWait{*this, WaitFor::StreamDone, copy.stream.value(), ticket};
            m_recorder.hostEvent(actor, EventKind::HostBlocked, m_names.staging, stagingFromNs, m_nowNs);
        } else {
            co_await stageToDevice(actor, work, perByteNs);
        }
        m_host.release(staging);
    }
    // The last chunks are still on their way.
    if (!toHost && !copy.async) {
        GpuWait arrived{*this, WaitFor::StreamDone, copy.stream.value(), m_gpu.streamSubmitted(copy.stream)};
        co_await arrived;
        co_await Sleep{*this, m_nowNs + m_profile.syncReturnNs};
    }
    m_recorder.hostEvent(actor, EventKind::RuntimeCall, name, startNs, m_nowNs, correlation);
    resumeAt(m_nowNs, resume);
}

// The host's part of a staged copy to the device: returns once the last chunk is in the staging buffer.
Task VirtualEngine::stageToDevice(ActorId actor, GpuWork work, double perByteNs)
{
    constexpr std::int64_t kChunksInBuffer = 2;
    const auto timeOf = [perByteNs](std::int64_t bytes) {
        return std::llround(static_cast<double>(bytes) * perByteNs);
    };
    const std::int64_t chunk = std::min(work.bytes, m_profile.stagingChunkBytes);
    const std::int64_t ahead = std::min(work.bytes, kChunksInBuffer * chunk);
    const std::int64_t lastChunkNs = linkNs(work.direction, chunk);
    const std::uint64_t before = m_gpu.streamSubmitted(work.stream);
    std::int64_t stagingFromNs = m_nowNs;
    const bool busy = m_gpu.streamDone(work.stream) < before;
    std::int64_t staged = chunk;
    if (busy && ahead < work.bytes) {
        staged = ahead;
        co_await Sleep{*this, m_nowNs + timeOf(ahead)};
        const std::int64_t waitFromNs = m_nowNs;
        co_await GpuWait{*this, WaitFor::StreamDone, work.stream.value(), before};
        if (m_nowNs > waitFromNs) {
            m_recorder.hostEvent(actor, EventKind::HostBlocked, m_names.staging, stagingFromNs, waitFromNs);
            co_await Sleep{*this, m_nowNs + m_profile.syncReturnNs};
            m_recorder.hostEvent(actor, EventKind::HostBlocked, m_names.streamSync, waitFromNs, m_nowNs);
            stagingFromNs = m_nowNs;
        }
    } else {
        co_await Sleep{*this, m_nowNs + timeOf(chunk)};
    }
    const std::int64_t restNs = timeOf(work.bytes - staged);
    work.submittedNs = m_nowNs;
    work.lengthNs = std::max(work.lengthNs, restNs + lastChunkNs);
    const std::uint64_t ticket = submit(work);
    if (ahead < work.bytes)
        co_await GpuWait{*this, WaitFor::StreamStarted, work.stream.value(), ticket};
    co_await Sleep{*this, m_nowNs + restNs};
    m_recorder.hostEvent(actor, EventKind::HostBlocked, m_names.staging, stagingFromNs, m_nowNs);
}

bool VirtualEngine::begin(ActorId actor, const op::Launch& launch, std::int64_t&, std::coroutine_handle<> resume)
{
    GpuWork work;
    work.kind = GpuWork::Kind::Kernel;
    work.load = launch.load;
    work.stream = launch.stream;
    work.label = launch.label;
    work.lengthNs = launch.durationNs;
    if (launch.flops > 0)
        work.lengthNs = std::max<std::int64_t>(
            1, std::llround(launch.flops * 1e9 / (m_profile.peakFlopsPerSecond * m_profile.sustainedFlopsShare)));
    return queueOrWait(actor, work, m_profile.launchCallNs, m_names.launch, resume);
}

bool VirtualEngine::begin(ActorId actor, const op::RecordEvent& record, std::int64_t&, std::coroutine_handle<> resume)
{
    GpuWork work;
    work.kind = GpuWork::Kind::Record;
    work.stream = record.stream;
    work.event = record.event;
    return queueOrWait(actor, work, m_profile.eventCallNs, m_names.record, resume);
}

bool VirtualEngine::begin(ActorId actor, const op::StreamWaitEvent& wait, std::int64_t&, std::coroutine_handle<> resume)
{
    GpuWork work;
    work.kind = GpuWork::Kind::Wait;
    work.stream = wait.stream;
    work.event = wait.event;
    return queueOrWait(actor, work, m_profile.eventCallNs, m_names.streamWait, resume);
}

bool VirtualEngine::begin(ActorId actor, const op::SyncEvent& sync, std::int64_t&, std::coroutine_handle<> resume)
{
    return startCall(synchronize(actor, WaitFor::EventReached, sync.event.value(), m_names.syncEvent, resume));
}

bool VirtualEngine::begin(ActorId actor, const op::SyncStream& sync, std::int64_t&, std::coroutine_handle<> resume)
{
    return startCall(synchronize(actor, WaitFor::StreamDone, sync.stream.value(), m_names.syncStream, resume));
}

bool VirtualEngine::begin(ActorId actor, const op::SyncDevice&, std::int64_t&, std::coroutine_handle<> resume)
{
    return startCall(synchronize(actor, WaitFor::Device, 0, m_names.syncDevice, resume));
}

Task VirtualEngine::synchronize(ActorId actor, WaitFor what, std::uint32_t index, StringId name,
                                std::coroutine_handle<> resume)
{
    const std::int64_t startNs = m_nowNs;
    const std::uint64_t ticket = what == WaitFor::StreamDone     ? m_gpu.streamSubmitted(StreamId(index))
                                 : what == WaitFor::EventReached ? m_gpu.eventSubmitted(GpuEventId(index))
                                                                 : 0;
    GpuWait wait{*this, what, index, ticket};
    if (wait.met()) {
        co_await Sleep{*this, startNs + m_profile.syncCallNs};
    } else {
        co_await wait;
        const std::int64_t earliestNs = startNs + m_profile.syncCallNs;
        co_await Sleep{*this, std::max(earliestNs, m_nowNs + m_profile.syncReturnNs)};
        m_recorder.hostEvent(actor, EventKind::Sync, name, startNs, m_nowNs);
    }
    m_recorder.hostEvent(actor, EventKind::RuntimeCall, name, startNs, m_nowNs);
    resumeAt(m_nowNs, resume);
}

}  // namespace overlane
