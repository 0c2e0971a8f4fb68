// A process with two GPUs: six steps, in which the second one runs two kernels and the first one runs one.
#pragma once

#include <map>
#include <string>

#include "core/trace/trace_builder.h"

namespace overlane::test
{

inline Trace twoDevices(const std::map<std::string, std::string>& properties = {})
{
    TraceBuilder builder;
    const TrackId process = builder.addTrack({}, TrackKind::Process, "python", -1, 1);
    const TrackId thread = builder.addTrack(process, TrackKind::Thread, "main", -1, 1);
    for (std::int32_t id = 0; id < 2; ++id) {
        const TrackId device = builder.addTrack({}, TrackKind::Device, "GPU", id, id);
        const TrackId engine = builder.addTrack(device, TrackKind::EngineCompute, "compute", id);
        const TrackId stream = builder.addTrack(engine, TrackKind::Stream, "stream 7", id, 7);
        builder.addDevice({id, id == 0 ? "first" : "second", 0, 0});
        for (std::int64_t step = 0; step < 6; ++step)
            for (std::int64_t kernel = 0; kernel <= id; ++kernel)
                builder.addEvent({.track = stream,
                                  .startNs = step * 1000 + kernel * 300,
                                  .durationNs = 200,
                                  .name = builder.intern("gemm"),
                                  .kind = EventKind::Kernel});
    }
    for (std::int64_t step = 0; step < 6; ++step)
        builder.addEvent({.track = thread,
                          .startNs = step * 1000,
                          .durationNs = 1000,
                          .name = builder.intern("ProfilerStep#" + std::to_string(step)),
                          .kind = EventKind::Step});
    builder.metadata().properties = properties;
    return builder.build();
}

}  // namespace overlane::test
