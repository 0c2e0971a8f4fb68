// A small pipeline as a trace: two loader workers, a host thread with calls, one GPU, counters.
#pragma once

#include <memory>
#include <string>

#include "core/base/units.h"
#include "core/trace/trace_builder.h"

namespace overlane
{

struct SampleTrace {
    std::shared_ptr<const Trace> trace;
    TrackId process, worker, host, device, h2d, compute;
};

// `batches` of 10 ms each; pageable copies when asked for.
inline SampleTrace sampleTrace(int batches = 10, bool pageable = true)
{
    SampleTrace sample;
    TraceBuilder builder;
    sample.process = builder.addTrack({}, TrackKind::Process, "train.py", -1, 42);
    sample.worker = builder.addTrack(sample.process, TrackKind::LoaderActor, "worker 0");
    const TrackId second = builder.addTrack(sample.process, TrackKind::LoaderActor, "worker 1");
    sample.host = builder.addTrack(sample.process, TrackKind::Thread, "main");
    sample.device = builder.addTrack({}, TrackKind::Device, "GPU 0", 0);
    sample.h2d = builder.addTrack(sample.device, TrackKind::EngineH2D, "H2D", 0);
    builder.addTrack(sample.device, TrackKind::EngineD2H, "D2H", 0);
    sample.compute = builder.addTrack(sample.device, TrackKind::EngineCompute, "compute", 0);
    const TrackId pinned = builder.addCounter(sample.process, "pinned", CounterUnit::Bytes);
    const TrackId queue = builder.addCounter(sample.process, "queue fill", CounterUnit::Count);

    std::uint32_t correlation = 0;
    const auto add = [&](TrackId track, EventKind kind, const char* name, std::int64_t startUs, std::int64_t lengthUs,
                         bool linked = false) {
        Event event;
        event.track = track;
        event.startNs = startUs * kNsPerUs;
        event.durationNs = lengthUs * kNsPerUs;
        event.kind = kind;
        event.name = builder.intern(name);
        event.correlation = linked ? correlation : 0;
        if (isCopy(kind))
            event.copy = CopyInfo{48 << 20, pageable ? MemoryKind::Pageable : MemoryKind::Pinned, MemoryKind::Device,
                                  AsyncFlag::Async};
        builder.addEvent(event);
    };
    for (int i = 0; i < batches; ++i) {
        const std::int64_t t = std::int64_t{i} * 10'000;
        add(i % 2 == 0 ? sample.worker : second, EventKind::Loader, "load batch", t, 9'000);
        add(i % 2 == 0 ? second : sample.worker, EventKind::LoaderWait, "wait for queue", t + 1'000, 8'000);
        ++correlation;
        add(sample.host, EventKind::RuntimeCall, "cudaMemcpyAsync", t + 1'000, pageable ? 2'500 : 10, true);
        add(sample.h2d, EventKind::CopyH2D, "Memcpy HtoD", t + 1'500, pageable ? 3'000 : 1'000, true);
        ++correlation;
        add(sample.host, EventKind::RuntimeCall, "cudaLaunchKernel", t + 4'000, 200, true);
        add(sample.compute, EventKind::Kernel, "ampere_sgemm_128x64_tn", t + 4'500, 4'000, true);
        add(sample.host, EventKind::Sync, "cudaStreamSynchronize", t + 5'000, 3'500);
        builder.addSample(pinned, t * kNsPerUs, static_cast<double>((i % 4) * (48 << 20)));
        builder.addSample(queue, (t + 3'000) * kNsPerUs, i % 3);
    }
    builder.metadata().title = "sample";
    sample.trace = std::make_shared<const Trace>(builder.build(false));
    return sample;
}

}  // namespace overlane
