// Hand-made traces for tests: a builder with the usual tracks, and a few small finished traces.
// Times in nanoseconds, chosen so that sums are easy to do in the head.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "core/trace/trace_builder.h"

namespace overlane::test
{

// One process with one thread, one device with engines and streams made on demand.
class SampleTrace
{
public:
    explicit SampleTrace(std::int32_t device = 0) : m_deviceId(device)
    {
        m_builder.metadata().format = "sample";
        m_process = m_builder.addTrack({}, TrackKind::Process, "python", -1, 100);
        m_thread = m_builder.addTrack(m_process, TrackKind::Thread, "main", -1, 101);
        m_device = m_builder.addTrack({}, TrackKind::Device, "GPU " + std::to_string(device), device, device);
        m_builder.addDevice({device, "Sample GPU", 0, 0});
    }

    TraceBuilder& builder() { return m_builder; }
    TrackId process() const { return m_process; }
    TrackId thread() const { return m_thread; }
    TrackId device() const { return m_device; }

    // The child of `parent` with this kind and number, made with `name` where it was not asked for before.
    TrackId track(TrackId parent, TrackKind kind, std::int64_t nativeId, std::string_view name,
                  std::int32_t device = -1)
    {
        TrackId& found = m_tracks[{parent, kind, nativeId}];
        if (!found.valid())
            found = m_builder.addTrack(parent, kind, name, device, nativeId);
        return found;
    }
    TrackId stream(TrackKind engine, std::int64_t stream)
    {
        const TrackId parent = track(m_device, engine, 0, "engine", m_deviceId);
        return track(parent, TrackKind::Stream, stream, "stream " + std::to_string(stream), m_deviceId);
    }
    void add(TrackId track, EventKind kind, std::int64_t startNs, std::int64_t endNs, std::string_view name,
             std::uint32_t correlation = 0)
    {
        Event event;
        event.track = track;
        event.kind = kind;
        event.startNs = startNs;
        event.durationNs = endNs - startNs;
        event.name = m_builder.intern(name);
        event.correlation = correlation;
        if (isCopy(kind))
            event.copy = CopyInfo{};
        m_builder.addEvent(event);
    }
    void host(EventKind kind, std::int64_t startNs, std::int64_t endNs, std::string_view name,
              std::uint32_t correlation = 0)
    {
        add(m_thread, kind, startNs, endNs, name, correlation);
    }
    void kernel(std::int64_t startNs, std::int64_t endNs, std::int64_t onStream = 7, std::uint32_t correlation = 0)
    {
        add(stream(TrackKind::EngineCompute, onStream), EventKind::Kernel, startNs, endNs, "gemm", correlation);
    }
    // `memory` is the kind on the host's side.
    void copy(EventKind kind, std::int64_t startNs, std::int64_t endNs, MemoryKind memory, std::int64_t bytes = 1000,
              std::int64_t onStream = 7, AsyncFlag async = AsyncFlag::Async, std::uint32_t correlation = 0)
    {
        const bool toHost = kind == EventKind::CopyD2H;
        const TrackKind engine = kind == EventKind::CopyH2D ? TrackKind::EngineH2D
                                 : toHost                   ? TrackKind::EngineD2H
                                                            : TrackKind::EnginePeer;
        Event event;
        event.track = stream(engine, onStream);
        event.kind = kind;
        event.startNs = startNs;
        event.durationNs = endNs - startNs;
        event.name = m_builder.intern("Memcpy");
        event.correlation = correlation;
        event.copy = toHost ? CopyInfo{bytes, MemoryKind::Device, memory, async}
                            : CopyInfo{bytes, memory, MemoryKind::Device, async};
        m_builder.addEvent(event);
    }
    Trace build(bool rebase = false) { return m_builder.build(rebase); }

private:
    TraceBuilder m_builder;
    std::int32_t m_deviceId;
    TrackId m_process, m_thread, m_device;
    std::map<std::tuple<TrackId, TrackKind, std::int64_t>, TrackId> m_tracks;
};

// Four steps of 100 ns; each copies 40 ns from pageable memory, then computes 50 ns on the same
// stream: nothing is hidden.
inline Trace serialTrace()
{
    SampleTrace sample;
    for (std::int64_t step = 0; step < 4; ++step) {
        const std::int64_t startNs = step * 100;
        const auto id = static_cast<std::uint32_t>(step * 2 + 1);
        sample.host(EventKind::Step, startNs, startNs + 100, "ProfilerStep#" + std::to_string(step));
        sample.host(EventKind::RuntimeCall, startNs, startNs + 45, "cudaMemcpyAsync", id);
        sample.copy(EventKind::CopyH2D, startNs + 5, startNs + 45, MemoryKind::Pageable, 1 << 20, 7, AsyncFlag::Async,
                    id);
        sample.host(EventKind::RuntimeCall, startNs + 45, startNs + 48, "cudaLaunchKernel", id + 1);
        sample.kernel(startNs + 50, startNs + 100, 7, id + 1);
    }
    return sample.build();
}

// The same work with pinned memory and a side stream: from the second step on the copy lies under
// the kernel of the step before.
inline Trace overlappedTrace()
{
    SampleTrace sample;
    for (std::int64_t step = 0; step < 4; ++step) {
        const std::int64_t startNs = step * 50;
        sample.host(EventKind::Step, startNs, startNs + 50, "ProfilerStep#" + std::to_string(step));
        sample.copy(EventKind::CopyH2D, startNs, startNs + 40, MemoryKind::Pinned, 1 << 20, 20);
        sample.kernel(startNs + 50, startNs + 100);
    }
    return sample.build();
}

}  // namespace overlane::test
