#include "core/simulation/virtual_engine.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>

#include "core/base/units.h"
#include "core/simulation/spread.h"
#include "core/simulation/virtual_engine_waits.h"

namespace overlane
{
namespace
{

constexpr int kEventsBetweenCancelChecks = 64;

// A node has at least one.
double coresPerNode(const DeviceProfile& profile, const SimulatedMachine& machine)
{
    const auto cores = static_cast<double>(machine.cores > 0 ? machine.cores : profile.hostCores);
    return std::max(1.0, cores / static_cast<double>(profile.numaNodes));
}

}  // namespace

VirtualEngine::VirtualEngine(const DeviceProfile& profile, const SimulatedMachine& machine, Progress* progress)
    : m_profile(profile),
      m_progress(progress),
      m_recorder(profile),
      m_gpu(profile, m_events, *this),
      m_host(static_cast<std::size_t>(profile.numaNodes), coresPerNode(profile, machine),
             profile.hostMemoryBytesPerSecond, m_events),
      m_memory(profile, machine.memory),
      m_gpuNode(static_cast<std::uint32_t>(machine.gpuNode)),
      m_launchQueue(machine.launchQueue > 0 ? machine.launchQueue : profile.runAheadLaunches),
      m_seed(machine.seed),
      m_readyBytes(machine.readyBlockBytes)
{
    assert(machine.gpuNode < profile.numaNodes);
    for (std::int64_t block = 0; block < machine.readyBlocks; ++block) {
        m_cacheTraffic += static_cast<std::uint64_t>(m_readyBytes);
        m_ready.push_back(m_cacheTraffic);
    }
    m_names.memcpySync = label("cudaMemcpy");
    m_names.memcpyAsync = label("cudaMemcpyAsync");
    m_names.launch = label("cudaLaunchKernel");
    m_names.record = label("cudaEventRecord");
    m_names.streamWait = label("cudaStreamWaitEvent");
    m_names.syncEvent = label("cudaEventSynchronize");
    m_names.syncStream = label("cudaStreamSynchronize");
    m_names.syncDevice = label("cudaDeviceSynchronize");
    m_names.hostAlloc = label("cudaHostAlloc");
    m_names.freeHost = label("cudaFreeHost");
    m_names.registerHost = label("cudaHostRegister");
    m_names.unregisterHost = label("cudaHostUnregister");
    m_names.staging = label("staging");
    m_names.streamSync = label("wait for the stream before staging");
    m_names.queueFull = label("launch queue full");
    m_names.storageWait = label("wait for storage or swap");
    m_names.rewriteHazard = label("hazard: source rewritten before its copy ended");
    m_names.freePageable = label("free memory");
    m_names.readHazard = label("hazard: result read before its copy ended");
}

ActorId VirtualEngine::addActor(std::string_view name)
{
    m_recorder.addActor(name);
    m_actors.emplace_back();
    m_actorNodes.push_back(0);
    m_slowness.push_back(spreadFactor(m_seed, -static_cast<std::int64_t>(m_actors.size()), m_profile.threadSpread));
    return ActorId(m_actors.size() - 1);
}

void VirtualEngine::placeActor(ActorId actor, std::int64_t node)
{
    assert(node >= 0 && node < m_profile.numaNodes);
    m_actorNodes[actor.index()] = static_cast<std::uint32_t>(node);
}

QueueId VirtualEngine::addQueue(std::string_view name)
{
    m_recorder.addQueue(name);
    m_queues.emplace_back();
    return QueueId(m_queues.size() - 1);
}

StreamId VirtualEngine::addStream(std::string_view name)
{
    m_recorder.addStream(name);
    return m_gpu.addStream();
}

void VirtualEngine::spawn(ActorId actor, Task body)
{
    m_actors[actor.index()] = std::move(body);
    resumeAt(m_nowNs, m_actors[actor.index()].handle());
}

void VirtualEngine::startClock()
{
    // Host work of another actor may be under way where a fault delays it; it ends at its time on the
    // clock of the preparation.
    assert(m_gpu.outstanding() == 0);
    m_setupNs = m_nowNs;
    m_clockStarted = true;
    m_memory.moveOrigin(m_nowNs);
    m_nowNs = 0;
    for (Queue& queue : m_queues)
        for (Waiter& waiter : queue.waiters) {
            waiter.sinceNs = 0;
            waiter.sincePreparation = true;
        }
    m_recorder.enable();
    noteMemory();
}

Result<void> VirtualEngine::run()
{
    try {
        Result<void> ended = runActors();
        if (!ended.ok())
            abandon();
        return ended;
    } catch (...) {
        abandon();
        throw;
    }
}

Result<void> VirtualEngine::runActors()
{
    int untilCheck = 1;
    while (!m_events.empty() || m_host.unsettled()) {
        if (--untilCheck == 0) {
            if (m_progress && m_progress->cancelled())
                return Error::cancelled();
            untilCheck = kEventsBetweenCancelChecks;
        }
        if (m_host.unsettled() && (m_events.empty() || m_events.nextTimeNs() > m_nowNs)) {
            m_host.settle(m_nowNs);
            continue;
        }
        const TimedEvent event = m_events.pop();
        m_nowNs = event.timeNs;
        if (event.resume) {
            event.resume.resume();
        } else if (event.model == TimedEvent::Of::Gpu) {
            m_gpu.onTime(event);
        } else if (const auto job = m_host.onTime(event)) {
            m_recorder.hostEvent(job->actor, job->kind, job->label, job->calledNs, m_nowNs);
            job->resume.resume();
        }
        if (m_memory.exhausted())
            return Error{fmt::format(
                "Out of memory after {}: the run needs {}, {} of it pinned, but RAM is {} and "
                "swap {}. Lower workers, prefetch_factor or batch_bytes, or raise ram_bytes.",
                formatDuration(m_nowNs), formatBytes(m_memory.neededBytes()), formatBytes(m_memory.lockedBytes()),
                formatBytes(m_memory.ramBytes()), formatBytes(m_memory.swapSizeBytes()))};
    }
    for (const Task& actor : m_actors)
        if (!actor.done())
            return Error{"The loader stopped: an actor waits for something that cannot happen."};
    return {};
}

// What a process leaves behind that ends in the middle: nothing.
void VirtualEngine::abandon()
{
    m_events = {};
    m_waits.clear();
    m_actors.clear();
    m_calls.clear();
    for (Queue& queue : m_queues)
        queue.waiters.clear();
    for (std::uint32_t index = 0; index < m_buffers.size(); ++index)
        if (m_buffers[index].alive)
            dropBuffer(BufferId(index));
}

bool VirtualEngine::start(ActorId actor, const Operation& operation, std::int64_t& result,
                          std::coroutine_handle<> resume)
{
    return std::visit([&](const auto& specific) { return begin(actor, specific, result, resume); }, operation);
}

void VirtualEngine::resumeAt(std::int64_t timeNs, std::coroutine_handle<> resume)
{
    m_events.push({timeNs, 0, resume, 0, 0});
}

bool VirtualEngine::finishAt(std::int64_t timeNs, std::coroutine_handle<> resume)
{
    if (timeNs <= m_nowNs)
        return true;
    resumeAt(timeNs, resume);
    return false;
}

void VirtualEngine::gpuWorkStarted(const GpuWork&)
{
    if (!m_waits.empty())
        wakeWaits();
}

void VirtualEngine::gpuWorkEnded(const GpuWork& work, std::int64_t nowNs)
{
    m_recorder.gpuWork(work, nowNs);
    if (work.kind == GpuWork::Kind::Copy && work.host.valid()) {
        Buffer& buffer = m_buffers[work.host.index()];
        --(work.direction == EventKind::CopyD2H ? buffer.copiesTo : buffer.copiesFrom);
        buffer.fromDevice |= work.direction == EventKind::CopyD2H && buffer.kind == MemoryKind::Pinned;
    }
    if (!m_waits.empty())
        wakeWaits();
}

void VirtualEngine::wakeWaits()
{
    std::erase_if(m_waits, [this](const GpuWait* wait) {
        if (!wait->met())
            return false;
        resumeAt(m_nowNs, wait->resume);
        return true;
    });
}

// Queues

// Processors sleep the deeper the longer they are idle: measured at 6 us after a wait of 50 us, 16 us after
// one of 0.5 ms, 50 us after one of 5 ms, and no longer beyond. Before a run starts, its threads have waited
// longer than that.
std::int64_t VirtualEngine::wakingNs(const Waiter& waiter)
{
    constexpr double kDeepNs = 5e6, kLeast = 0.12;
    const double depth =
        waiter.sincePreparation ? 1 : std::sqrt(static_cast<double>(m_nowNs - waiter.sinceNs) / kDeepNs);
    const double spread = m_profile.threadSpread > 0 ? spreadFactor(m_seed, ++m_wakes, m_profile.threadSpread) : 1;
    return std::llround(static_cast<double>(m_profile.handOverNs) * std::clamp(depth, kLeast, 1.0) * spread);
}

// Whoever wakes another has to call the kernel for it, which takes a part of the time that the other needs.
bool VirtualEngine::begin(ActorId, const op::Put& put, std::int64_t&, std::coroutine_handle<> resume)
{
    constexpr double kWakersPart = 0.1;
    Queue& queue = m_queues[put.queue.index()];
    assert(!queue.closed);
    if (queue.waiters.empty()) {
        queue.values.push_back(put.value);
        m_recorder.queueFill(put.queue, m_nowNs, queue.values.size());
        return true;
    }
    const Waiter waiter = queue.waiters.front();
    queue.waiters.pop_front();
    *waiter.result = put.value;
    const std::int64_t wakeNs = m_nowNs + wakingNs(waiter);
    m_recorder.hostEvent(waiter.actor, EventKind::LoaderWait, waiter.label, waiter.sinceNs, wakeNs);
    resumeAt(wakeNs, waiter.resume);
    if (!m_clockStarted)
        return true;
    return finishAt(m_nowNs + std::llround(kWakersPart * static_cast<double>(m_profile.handOverNs)), resume);
}

bool VirtualEngine::begin(ActorId actor, const op::Take& take, std::int64_t& result, std::coroutine_handle<> resume)
{
    Queue& queue = m_queues[take.queue.index()];
    if (!queue.values.empty()) {
        result = queue.values.front();
        queue.values.pop_front();
        m_recorder.queueFill(take.queue, m_nowNs, queue.values.size());
        return true;
    }
    if (queue.closed) {
        result = kQueueClosed;
        return true;
    }
    queue.waiters.push_back({resume, &result, actor, take.label, m_nowNs});
    return false;
}

bool VirtualEngine::begin(ActorId, const op::Close& close, std::int64_t&, std::coroutine_handle<>)
{
    Queue& queue = m_queues[close.queue.index()];
    queue.closed = true;
    for (const Waiter& waiter : queue.waiters) {
        *waiter.result = kQueueClosed;
        resumeAt(m_nowNs, waiter.resume);
    }
    queue.waiters.clear();
    return true;
}

}  // namespace overlane
