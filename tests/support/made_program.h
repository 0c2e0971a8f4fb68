// Programs by hand: what a host asks of its GPUs, call by call, and when they do it, as a recorder would write it down.
//
// A host that calls, streams that keep their order, one engine per way of a copy; pageable copies hold the host. Times
// are the same in every run. One thread; nanoseconds, bytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/base/units.h"
#include "core/trace/trace_builder.h"
#include "tests/support/times.h"

namespace overlane::test
{

class MadeProgram
{
public:
    struct Stream {
        std::int32_t device = 0;
        std::int64_t number = 7;
        std::int64_t endNs = 0;
    };

    explicit MadeProgram(std::string_view command, std::string_view process)
    {
        m_builder.metadata().format = "recorded";
        m_builder.metadata().title = command;
        m_builder.metadata().properties["command"] = command;
        m_process = m_builder.addTrack({}, TrackKind::Process, process, -1, 100);
        m_thread = m_builder.addTrack(m_process, TrackKind::Thread, process, -1, 100);
    }

    std::int64_t nowNs() const { return m_nowNs; }
    void hostFor(std::int64_t ns) { m_nowNs += ns; }
    void waitUntil(std::int64_t timeNs) { m_nowNs = std::max(m_nowNs, timeNs); }

    void launch(Stream& stream, std::int64_t ns, std::string_view name, std::int64_t costNs = 4 * kUs)
    {
        const std::uint32_t id = call("cudaLaunchKernel", m_nowNs + costNs);
        const std::int64_t startNs = std::max(m_callEndNs, stream.endNs) + 800;
        stream.endNs = startNs + ns;
        add(streamTrack(TrackKind::EngineCompute, stream), EventKind::Kernel, startNs, stream.endNs, name, id);
    }
    void copy(EventKind kind, std::int64_t bytes, MemoryKind memory, Stream& stream, bool waits = false)
    {
        constexpr double kPinnedRate = 50, kPageableRate = 8, kDeviceRate = 1500;  // bytes per nanosecond
        const bool within = kind == EventKind::CopyD2D;
        const double rate = within ? kDeviceRate : memory == MemoryKind::Pinned ? kPinnedRate : kPageableRate;
        std::int64_t& engineNs = m_engineNs[{stream.device, kind}];
        const std::int64_t startNs = std::max({m_nowNs + 4 * kUs, stream.endNs + 600, engineNs + 300});
        const auto lengthNs =
            std::max<std::int64_t>(1200, static_cast<std::int64_t>(static_cast<double>(bytes) / rate));
        stream.endNs = engineNs = startNs + lengthNs;
        const bool holds = waits || (memory == MemoryKind::Pageable && bytes > (64 << 10)) ||
                           (memory == MemoryKind::Pageable && kind == EventKind::CopyD2H);
        const std::uint32_t id =
            call(waits ? "cudaMemcpy" : "cudaMemcpyAsync", holds ? stream.endNs + 3 * kUs : m_nowNs + 5 * kUs);
        Event event = made(streamTrack(within                       ? TrackKind::EnginePeer
                                       : kind == EventKind::CopyD2H ? TrackKind::EngineD2H
                                                                    : TrackKind::EngineH2D,
                                       stream),
                           kind, startNs, stream.endNs, "Memcpy", id);
        event.copy = CopyInfo{bytes, kind == EventKind::CopyH2D ? memory : MemoryKind::Device,
                              kind == EventKind::CopyD2H ? memory : MemoryKind::Device,
                              waits ? AsyncFlag::Sync : AsyncFlag::Async};
        m_builder.addEvent(event);
    }
    void synchronize(const Stream& stream)
    {
        call("cudaStreamSynchronize", std::max(m_nowNs + 2 * kUs, stream.endNs + 4 * kUs));
    }

    Trace build() { return m_builder.build(false); }

private:
    std::uint32_t call(std::string_view name, std::int64_t endNs)
    {
        add(m_thread, EventKind::RuntimeCall, m_nowNs, endNs, name, ++m_correlation);
        m_callEndNs = endNs;
        m_nowNs = endNs + 200;
        return m_correlation;
    }
    Event made(TrackId track, EventKind kind, std::int64_t startNs, std::int64_t endNs, std::string_view name,
               std::uint32_t correlation)
    {
        Event event;
        event.track = track;
        event.kind = kind;
        event.startNs = startNs;
        event.durationNs = endNs - startNs;
        event.name = m_builder.intern(name);
        event.correlation = correlation;
        return event;
    }
    void add(TrackId track, EventKind kind, std::int64_t startNs, std::int64_t endNs, std::string_view name,
             std::uint32_t correlation)
    {
        m_builder.addEvent(made(track, kind, startNs, endNs, name, correlation));
    }
    TrackId track(TrackId parent, TrackKind kind, std::int32_t device, std::int64_t number, std::string_view name)
    {
        TrackId& found = m_tracks[{parent, kind, device, number}];
        if (!found.valid())
            found = m_builder.addTrack(parent, kind, name, device, number);
        return found;
    }
    TrackId streamTrack(TrackKind engine, const Stream& stream)
    {
        const bool isNew = !m_tracks.contains({TrackId(), TrackKind::Device, stream.device, stream.device});
        const TrackId device = track({}, TrackKind::Device, stream.device, stream.device, "GPU");
        if (isNew)
            m_builder.addDevice({stream.device, "Made GPU", 0, 0});
        return track(track(device, engine, stream.device, 0, "engine"), TrackKind::Stream, stream.device, stream.number,
                     "stream " + std::to_string(stream.number));
    }

    TraceBuilder m_builder;
    TrackId m_process, m_thread;
    std::map<std::tuple<TrackId, TrackKind, std::int32_t, std::int64_t>, TrackId> m_tracks;
    std::map<std::pair<std::int32_t, EventKind>, std::int64_t> m_engineNs;
    std::int64_t m_nowNs = 1 * kMs;
    std::int64_t m_callEndNs = 0;
    std::uint32_t m_correlation = 0;
};

// Forty steps of so many small pinned copies and a kernel.
inline MadeProgram madeParticles(int copies)
{
    MadeProgram made("./particles", "particles");
    MadeProgram::Stream stream;
    for (int step = 0; step < 40; ++step) {
        for (int copy = 0; copy < copies; ++copy)
            made.copy(EventKind::CopyH2D, 2 << 10, MemoryKind::Pinned, stream);
        made.launch(stream, 400 * kUs, "advance(Particle*)");
        made.synchronize(stream);
    }
    return made;
}

}  // namespace overlane::test
