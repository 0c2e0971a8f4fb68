#include "core/simulation/gpu_model.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace overlane
{

GpuModel::GpuModel(const DeviceProfile& profile, EventQueue& queue, GpuListener& listener)
    : m_profile(profile), m_queue(queue), m_listener(listener)
{
}

StreamId GpuModel::addStream()
{
    m_streams.emplace_back();
    return StreamId(m_streams.size() - 1);
}

GpuEventId GpuModel::addEvent()
{
    m_events.emplace_back();
    return GpuEventId(m_events.size() - 1);
}

GpuModel::Engine GpuModel::engineOf(const GpuWork& work)
{
    switch (work.kind) {
        case GpuWork::Kind::Copy:
            return work.direction == EventKind::CopyD2H ? D2H : H2D;
        case GpuWork::Kind::Kernel:
            return Compute;
        case GpuWork::Kind::Record:
        case GpuWork::Kind::Wait:
            break;
    }
    return None;
}

GpuModel::Slot GpuModel::takeSlot()
{
    if (m_free.empty()) {
        m_entries.emplace_back();
        return static_cast<Slot>(m_entries.size() - 1);
    }
    const Slot slot = m_free.back();
    m_free.pop_back();
    return slot;
}

std::uint64_t GpuModel::submit(std::int64_t nowNs, GpuWork work)
{
    Stream& stream = m_streams[work.stream.index()];
    const Slot slot = takeSlot();
    Entry& entry = m_entries[slot];
    const std::uint32_t generation = entry.generation + 1;
    entry = Entry();
    entry.generation = generation;
    work.ticket = ++stream.submitted;
    if (work.kind == GpuWork::Kind::Record)
        ++m_events[work.event.index()].submitted;
    entry.awaited = work.event.valid() ? m_events[work.event.index()].submitted : 0;
    entry.work = work;
    ++m_outstanding;
    stream.queue.push_back(slot);
    if (stream.queue.size() == 1)
        advance(nowNs, work.stream);
    return work.ticket;
}

// Moves the head of a stream on as far as time allows.
void GpuModel::advance(std::int64_t nowNs, StreamId id)
{
    while (!m_streams[id.index()].queue.empty()) {
        Stream& stream = m_streams[id.index()];
        const Slot slot = stream.queue.front();
        Entry& entry = m_entries[slot];
        if (entry.state != State::InStream)
            return;
        const Engine engine = engineOf(entry.work);
        if (entry.work.kind == GpuWork::Kind::Wait && entry.work.submittedNs <= nowNs) {
            Event& event = m_events[entry.work.event.index()];
            if (event.reached < entry.awaited) {
                if (!stream.waiting)
                    event.waiting.push_back(id);
                stream.waiting = true;
                stream.crossed = true;
                return;
            }
            stream.waiting = false;
            if (stream.crossed)
                stream.readyNs = nowNs;
            finishHead(nowNs, id);
            continue;
        }
        std::int64_t dueNs = entry.work.submittedNs;
        if (engine != None) {
            const bool crossed = stream.crossed || (stream.lastEngine != None && stream.lastEngine != engine);
            dueNs = std::max(dueNs + m_profile.submitLatencyNs,
                             stream.readyNs + (crossed ? m_profile.dependencyLatencyNs : 0));
        }
        if (dueNs > nowNs) {
            entry.state = State::Due;
            m_queue.push({dueNs, 0, {}, slot, entry.generation});
            return;
        }
        if (engine == None) {
            finishHead(nowNs, id);
            continue;
        }
        stream.crossed = false;
        entry.state = State::InEngine;
        m_waiting[engine].push_back(slot);
        startWaiting(nowNs, engine);
        return;
    }
}

// Takes the head, which has ended, off its stream and tells everybody who waited for it.
void GpuModel::finishHead(std::int64_t nowNs, StreamId id)
{
    Stream& stream = m_streams[id.index()];
    const Slot slot = stream.queue.front();
    stream.queue.pop_front();
    const GpuWork work = m_entries[slot].work;
    ++m_entries[slot].generation;
    m_free.push_back(slot);
    stream.done = work.ticket;
    --m_outstanding;
    if (const Engine engine = engineOf(work); engine != None) {
        stream.readyNs = nowNs;
        stream.lastEngine = engine;
    }
    if (work.kind == GpuWork::Kind::Record) {
        Event& event = m_events[work.event.index()];
        ++event.reached;
        std::vector<StreamId> waiting;
        waiting.swap(event.waiting);
        for (const StreamId other : waiting) {
            m_streams[other.index()].waiting = false;
            advance(nowNs, other);
        }
    }
    m_listener.gpuWorkEnded(work, nowNs);
}

void GpuModel::onTime(const TimedEvent& due)
{
    Entry& entry = m_entries[due.index];
    if (entry.generation != due.generation)
        return;  // its rate changed since, or it has ended
    const StreamId stream = entry.work.stream;
    if (entry.state == State::Due) {
        entry.state = State::InStream;
        advance(due.timeNs, stream);
        return;
    }
    assert(entry.state == State::Running);
    const Engine engine = engineOf(entry.work);
    updateRates(due.timeNs);
    std::erase(m_running, due.index);
    --m_runningCount[engine];
    m_memoryKernels -= engine == Compute && entry.work.load == op::KernelLoad::Memory;
    finishHead(due.timeNs, stream);
    startWaiting(due.timeNs, engine);
    updateRates(due.timeNs);
    advance(due.timeNs, stream);
}

bool GpuModel::mayStart(Engine engine, Slot candidate) const
{
    if (m_runningCount[engine] == 0)
        return true;
    if (engine != Compute || m_entries[candidate].work.load != op::KernelLoad::Small)
        return false;
    const bool filled = std::any_of(m_running.begin(), m_running.end(), [this](Slot slot) {
        const GpuWork& work = m_entries[slot].work;
        return work.kind == GpuWork::Kind::Kernel && work.load != op::KernelLoad::Small;
    });
    return !filled && m_runningCount[engine] < m_profile.concurrentKernels;
}

void GpuModel::startWaiting(std::int64_t nowNs, Engine engine)
{
    bool started = false;
    while (!m_waiting[engine].empty() && mayStart(engine, m_waiting[engine].front())) {
        if (!started)
            updateRates(nowNs);
        started = true;
        const Slot slot = m_waiting[engine].front();
        m_waiting[engine].pop_front();
        Entry& entry = m_entries[slot];
        entry.state = State::Running;
        entry.work.startNs = nowNs;
        entry.remainingNs = static_cast<double>(entry.work.lengthNs);
        entry.rate = 0;
        m_streams[entry.work.stream.index()].started = entry.work.ticket;
        m_listener.gpuWorkStarted(entry.work);
        m_running.push_back(slot);
        ++m_runningCount[engine];
        m_memoryKernels += engine == Compute && entry.work.load == op::KernelLoad::Memory;
    }
    if (started)
        updateRates(nowNs);
}

double GpuModel::rateOf(const GpuWork& work) const
{
    double rate = 1;
    const bool isCopyWork = work.kind == GpuWork::Kind::Copy;
    // A staged copy is held up by the host's memcpy, not by the link.
    if (isCopyWork && work.hostMemory == MemoryKind::Pinned && m_runningCount[H2D] > 0 && m_runningCount[D2H] > 0)
        rate *= std::min(
            1.0, m_profile.bidirectionalBytesPerSecond / (m_profile.h2dBytesPerSecond + m_profile.d2hBytesPerSecond));
    const bool memoryKernel = !isCopyWork && work.load == op::KernelLoad::Memory;
    const bool copies = m_runningCount[H2D] + m_runningCount[D2H] > 0;
    if ((isCopyWork && m_memoryKernels > 0) || (memoryKernel && copies))
        rate /= m_profile.copyKernelSlowdown;
    return rate;
}

// Books the progress made since the last change, then moves the ends of work whose rate changed.
void GpuModel::updateRates(std::int64_t nowNs)
{
    const auto elapsedNs = static_cast<double>(nowNs - m_ratesNs);
    m_ratesNs = nowNs;
    for (const Slot slot : m_running) {
        Entry& entry = m_entries[slot];
        entry.remainingNs = std::max(0.0, entry.remainingNs - elapsedNs * entry.rate);
        const double rate = rateOf(entry.work);
        if (rate == entry.rate)
            continue;
        entry.rate = rate;
        ++entry.generation;
        m_queue.push({nowNs + std::llround(entry.remainingNs / rate), 0, {}, slot, entry.generation});
    }
}

}  // namespace overlane
