// GpuModel: the simulated GPU. Streams keep their order; engines decide what runs at once.
//
// Work leaves its stream when what came before it has ended, and then queues for its engine: one
// copy engine per direction, so two copies of a direction run one after the other, and one compute
// engine, on which kernels that fill the device run alone and small ones side by side. Copies in
// both directions share the link; memory-bound kernels and copies slow each other down. Rates are
// recomputed whenever something starts or ends. Pushes its future into an EventQueue and tells a
// listener what ended. One thread; virtual nanoseconds.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "core/devices/device_profile.h"
#include "core/engine/operation.h"
#include "core/simulation/event_queue.h"

namespace overlane
{

struct GpuWork {
    enum class Kind : std::uint8_t { Copy, Kernel, Record, Wait };
    Kind kind = Kind::Kernel;
    EventKind direction = EventKind::CopyH2D;  // of a copy
    op::KernelLoad load = op::KernelLoad::Full;
    bool async = true;
    StreamId stream;
    StringId label;
    GpuEventId event;  // of Record and Wait
    BufferId host;     // of a copy
    std::int64_t bytes = 0;
    std::int64_t lengthNs = 0;     // alone on an idle engine
    std::int64_t submittedNs = 0;  // end of the call
    std::uint32_t correlation = 0;
    MemoryKind hostMemory = MemoryKind::Unknown;

    // Filled by the model
    std::int64_t startNs = 0;
    std::uint64_t ticket = 0;  // position in the stream, from 1
};

class GpuListener
{
public:
    virtual ~GpuListener() = default;
    virtual void gpuWorkStarted(const GpuWork& work) = 0;
    // A copy or kernel ended, or an event was reached.
    virtual void gpuWorkEnded(const GpuWork& work, std::int64_t nowNs) = 0;
};

class GpuModel
{
public:
    GpuModel(const DeviceProfile& profile, EventQueue& queue, GpuListener& listener);

    StreamId addStream();
    GpuEventId addEvent();

    // Queues work; returns its ticket: streamDone(stream) >= ticket once it has ended.
    std::uint64_t submit(std::int64_t nowNs, GpuWork work);
    // A TimedEvent of this model is due.
    void onTime(const TimedEvent& event);

    std::uint64_t streamSubmitted(StreamId stream) const { return m_streams[stream.index()].submitted; }
    std::uint64_t streamStarted(StreamId stream) const { return m_streams[stream.index()].started; }
    std::uint64_t streamDone(StreamId stream) const { return m_streams[stream.index()].done; }
    std::uint64_t eventSubmitted(GpuEventId event) const { return m_events[event.index()].submitted; }
    std::uint64_t eventReached(GpuEventId event) const { return m_events[event.index()].reached; }
    std::int64_t outstanding() const { return m_outstanding; }

private:
    enum Engine : std::uint8_t { H2D, D2H, Compute, None };
    enum class State : std::uint8_t { InStream, Due, InEngine, Running };
    using Slot = std::uint32_t;

    struct Entry {
        GpuWork work;
        State state = State::InStream;
        std::uint64_t awaited = 0;  // record of the event that a Wait is about
        std::uint32_t generation = 0;
        double remainingNs = 0;
        double rate = 1;
    };
    struct Stream {
        std::deque<Slot> queue;
        std::uint64_t submitted = 0;
        std::uint64_t started = 0;
        std::uint64_t done = 0;
        std::int64_t readyNs = 0;  // end of the last work
        Engine lastEngine = None;  // where it ran
        bool crossed = false;      // the head was held back by an event of another stream
        bool waiting = false;      // the head waits for an event
    };
    struct Event {
        std::uint64_t submitted = 0;
        std::uint64_t reached = 0;
        std::vector<StreamId> waiting;
    };

    static Engine engineOf(const GpuWork& work);
    Slot takeSlot();
    void advance(std::int64_t nowNs, StreamId stream);
    void finishHead(std::int64_t nowNs, StreamId stream);
    void startWaiting(std::int64_t nowNs, Engine engine);
    bool mayStart(Engine engine, Slot candidate) const;
    void updateRates(std::int64_t nowNs);
    double rateOf(const GpuWork& work) const;

    const DeviceProfile& m_profile;
    EventQueue& m_queue;
    GpuListener& m_listener;
    std::vector<Entry> m_entries;
    std::vector<Slot> m_free;
    std::vector<Stream> m_streams;
    std::vector<Event> m_events;
    std::array<std::deque<Slot>, 3> m_waiting;  // per engine
    std::vector<Slot> m_running;
    std::array<int, 3> m_runningCount{};
    int m_memoryKernels = 0;
    std::int64_t m_ratesNs = 0;  // when the remaining times were last brought up to date
    std::int64_t m_outstanding = 0;
};

}  // namespace overlane
