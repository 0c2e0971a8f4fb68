// SimulationRecorder: turns what a virtual engine does into a trace.
//
// Owns the builder, the tracks and the names; a stream has its track from its first use on. Tracks: a process with its
// actors and queues, the actor added last at the bottom, next to the device that it feeds; a device
// with its engines, and a stream below each engine it used; memory gauges. Nothing is kept before
// enable(). One thread; virtual nanoseconds.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "core/devices/device_profile.h"
#include "core/engine/operation.h"
#include "core/simulation/gpu_model.h"
#include "core/simulation/memory_model.h"
#include "core/trace/trace_builder.h"

namespace overlane
{

class SimulationRecorder
{
public:
    explicit SimulationRecorder(const DeviceProfile& profile);

    StringId intern(std::string_view text) { return m_builder.intern(text); }
    void addActor(std::string_view name);
    // Queues of the same name share a gauge, which shows their sum; without a name there is none.
    void addQueue(std::string_view name);
    void addStream(std::string_view name) { m_streamNames.emplace_back(name); }

    void enable();
    bool enabled() const { return m_enabled; }

    void hostEvent(ActorId actor, EventKind kind, StringId name, std::int64_t startNs, std::int64_t endNs,
                   std::uint32_t correlation = 0);
    void step(StringId name, std::int64_t startNs, std::int64_t endNs);
    void gpuWork(const GpuWork& work, std::int64_t endNs);
    void queueFill(QueueId queue, std::int64_t timeNs, std::size_t values);
    void memory(std::int64_t timeNs, const MemoryModel& model);

    TraceMetadata& metadata() { return m_builder.metadata(); }
    Trace finish(std::int64_t endNs);

private:
    // A gauge's samples, one per time and only where the value changed.
    struct Gauge {
        TrackId track;
        std::vector<std::pair<std::int64_t, double>> samples;
        void sample(std::int64_t timeNs, double value);
    };
    // In the order in which they are shown: what a loader changes first.
    enum GaugeIndex { Pinned, SwapUsed, Available, Process, SwapTraffic, PageCache, Others, kGaugeCount };

    TrackId streamTrack(EventKind kind, StreamId stream);

    TraceBuilder m_builder;
    TrackId m_process;
    TrackId m_steps;
    TrackId m_memoryGroup;
    std::array<TrackId, 3> m_engines;  // H2D, D2H, compute
    std::vector<TrackId> m_actors;
    std::vector<std::string> m_streamNames;
    std::array<std::vector<TrackId>, 3> m_streamTracks;
    struct QueueGauge {
        std::string name;
        Gauge gauge;
        std::size_t values = 0;
    };
    struct QueueFill {
        std::size_t gauge = 0;
        std::size_t values = 0;
    };
    std::vector<QueueGauge> m_queueGauges;
    std::vector<QueueFill> m_queues;
    std::array<Gauge, kGaugeCount> m_gauges;
    StringId m_copyNames[2][2];  // [D2H][pinned]
    double m_swapBytesPerSecond;
    std::int64_t m_swapMoved = 0;
    std::int64_t m_swapUntilNs = 0;
    bool m_enabled = false;
};

}  // namespace overlane
