// A seeded trace as crowded as large recordings are, for the benchmarks of the window.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/trace/trace_builder.h"

namespace overlane
{

// 24 host threads and one GPU with four engines and streams; `counters` with a sample for each event together.
// With `linked`, the calls of each thread that makes some belong to the work of two streams, in order.
inline std::shared_ptr<const Trace> crowdedTrace(int events, int counters = 0, bool linked = false)
{
    TraceBuilder builder;
    builder.reserve(static_cast<std::size_t>(events));
    std::mt19937 random(20260101);
    const auto upTo = [&](std::uint32_t limit) { return static_cast<std::int64_t>(random() % limit); };
    std::vector<StringId> names;
    names.reserve(500);
    for (int i = 0; i < 500; ++i)
        names.push_back(builder.intern("void at::native::kernel_" + std::to_string(i) + "<float, 4>(int, float*)"));
    const TrackId process = builder.addTrack({}, TrackKind::Process, "python");
    const TrackId device = builder.addTrack({}, TrackKind::Device, "GPU 0", 0);
    std::vector<std::pair<TrackId, EventKind>> tracks;
    tracks.reserve(64);
    for (int i = 0; i < 24; ++i)
        tracks.emplace_back(builder.addTrack(process, TrackKind::Thread, "thread " + std::to_string(i)),
                            i % 3 == 0 ? EventKind::RuntimeCall : EventKind::HostWork);
    const auto engine = [&](TrackKind kind, const char* name, EventKind work, int streams) {
        const TrackId parent = builder.addTrack(device, kind, name, 0);
        for (int i = 0; i < streams; ++i)
            tracks.emplace_back(builder.addTrack(parent, TrackKind::Stream, "stream " + std::to_string(7 + i), 0),
                                work);
    };
    engine(TrackKind::EngineH2D, "H2D", EventKind::CopyH2D, 4);
    engine(TrackKind::EngineD2H, "D2H", EventKind::CopyD2H, 4);
    engine(TrackKind::EngineCompute, "compute", EventKind::Kernel, 8);

    const int perTrack = events / static_cast<int>(tracks.size());
    std::uint32_t calling = 0;
    std::uint32_t working = 0;
    for (const auto& [track, kind] : tracks) {
        const bool calls = kind == EventKind::RuntimeCall;
        const bool works = kind != EventKind::HostWork && !calls;
        const std::uint32_t first = calls ? calling++ : works ? working++ / 2 : 0;
        std::int64_t timeNs = upTo(100'000);
        for (int i = 0; i < perTrack; ++i) {
            Event event;
            event.track = track;
            event.startNs = timeNs;
            event.durationNs = 200 + upTo(random() % 50 == 0 ? 400'000 : 9'000);
            event.name = names[random() % names.size()];
            event.kind = kind == EventKind::HostWork && random() % 4 == 0 ? EventKind::Annotation : kind;
            if (isCopy(kind))
                event.copy = CopyInfo{1 << 20, random() % 2 == 0 ? MemoryKind::Pageable : MemoryKind::Pinned,
                                      MemoryKind::Device, AsyncFlag::Async};
            if (linked && (calls || works))
                event.correlation = 1 + first * static_cast<std::uint32_t>(perTrack) + static_cast<std::uint32_t>(i);
            builder.addEvent(event);
            timeNs += event.durationNs + upTo(12'000);
        }
    }
    const int samples = counters > 0 ? events / counters : 0;
    const std::int64_t spacingNs = std::int64_t{perTrack} * 12'000 / std::max(1, samples);
    for (int i = 0; i < counters; ++i) {
        const TrackId counter = builder.addCounter(process, "memory " + std::to_string(i), CounterUnit::Bytes);
        double bytes = 1e9;
        for (int at = 0; at < samples; ++at) {
            bytes = std::max(0.0, bytes + static_cast<double>(upTo(64 << 20) - (32 << 20)));
            builder.addSample(counter, at * spacingNs + upTo(static_cast<std::uint32_t>(spacingNs)), bytes);
        }
    }
    return std::make_shared<const Trace>(builder.build());
}

}  // namespace overlane
