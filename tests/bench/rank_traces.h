// Seeded ranks of a job: each a training loop with a loader, copies, launches, kernels and collectives, all of whose
// members end together; one rank has a slow loader.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>

#include "core/trace/rank_properties.h"
#include "core/trace/trace_builder.h"

namespace overlane::bench
{

constexpr std::int64_t kKernelsPerStep = 120;
constexpr std::int64_t kKernelsPerCollective = 12;
constexpr std::int64_t kEventsPerStep = 2 * kKernelsPerStep + 4;

// What rank number `slow` takes longer for a batch.
constexpr std::int64_t kSlowLoaderNs = 3'000'000;
// Longer than the step of any rank.
constexpr std::int64_t kStepTogetherNs = kKernelsPerStep * 80'000 + 2 * kSlowLoaderNs;

inline Trace rankOfJob(int rank, int ranks, std::int64_t events, int slow = 1)
{
    std::mt19937 random(static_cast<unsigned>(rank) + 1);
    const auto upTo = [&](std::int64_t limit) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(limit + 1));
    };
    TraceBuilder builder;
    builder.metadata().format = "overlane";
    builder.metadata().startEpochNs = 1'700'000'000'000'000'000 + upTo(1'000'000);
    builder.metadata().properties = {{kRankProperty, std::to_string(rank)},
                                     {kWorldSizeProperty, std::to_string(ranks)},
                                     {kHostProperty, "node" + std::to_string(rank / 8)}};
    const int id = rank % 8;
    const TrackId process = builder.addTrack({}, TrackKind::Process, "python", -1, 100);
    const TrackId thread = builder.addTrack(process, TrackKind::Thread, "main", -1, 100);
    const TrackId device = builder.addTrack({}, TrackKind::Device, "GPU", id, id);
    const TrackId in = builder.addTrack(builder.addTrack(device, TrackKind::EngineH2D, "H2D", id), TrackKind::Stream,
                                        "stream 7", id, 7);
    const TrackId engine = builder.addTrack(device, TrackKind::EngineCompute, "compute", id);
    const TrackId compute = builder.addTrack(engine, TrackKind::Stream, "stream 7", id, 7);
    const TrackId exchange = builder.addTrack(engine, TrackKind::Stream, "stream 20", id, 20);
    builder.addDevice({id, "a GPU", 0, 0});
    builder.reserve(static_cast<std::size_t>(events));
    std::uint32_t correlation = 0;
    const auto add = [&](TrackId track, EventKind kind, std::int64_t startNs, std::int64_t durationNs,
                         const std::string& name, std::uint32_t joined = 0) {
        Event event{track, startNs, durationNs, builder.intern(name), kind, joined, 1, {}};
        if (isCopy(kind))
            event.copy = CopyInfo{8 << 20, MemoryKind::Pinned, MemoryKind::Device, AsyncFlag::Async};
        builder.addEvent(event);
    };
    std::int64_t hostNs = 0, gpuNs = 0;
    for (std::int64_t step = 0; step < std::max<std::int64_t>(1, events / kEventsPerStep); ++step) {
        const std::int64_t startNs = hostNs;
        const std::int64_t waitNs = 100'000 + upTo(20'000) + (rank == slow ? kSlowLoaderNs : 0);
        add(thread, EventKind::LoaderWait, hostNs, waitNs, "wait for a batch");
        hostNs += waitNs;
        add(thread, EventKind::RuntimeCall, hostNs, 8'000, "cudaMemcpyAsync", ++correlation);
        gpuNs = std::max(gpuNs, hostNs);
        add(in, EventKind::CopyH2D, gpuNs, 300'000, "Memcpy HtoD (Pinned -> Device)", correlation);
        gpuNs += 300'000;
        hostNs += 10'000;
        for (std::int64_t kernel = 0; kernel < kKernelsPerStep; ++kernel) {
            const bool exchanges = kernel % kKernelsPerCollective == kKernelsPerCollective - 1;
            add(thread, EventKind::RuntimeCall, hostNs, 4'000, "cudaLaunchKernel", ++correlation);
            hostNs += 6'000;
            gpuNs = std::max(gpuNs + 1'000, hostNs);
            std::int64_t durationNs = exchanges ? 150'000 : 60'000 + upTo(10'000);
            if (kernel == kKernelsPerStep - 1)  // all ranks wait for the slow one in the last collective
                durationNs = std::max(durationNs, (step + 1) * kStepTogetherNs - gpuNs);
            add(exchanges ? exchange : compute, EventKind::Kernel, gpuNs, durationNs,
                exchanges ? "ncclDevKernel_AllReduce_Sum_bf16_RING_LL" : "gemm_" + std::to_string(kernel % 17),
                correlation);
            gpuNs += durationNs;
        }
        hostNs = std::max(hostNs, gpuNs - 1'000'000);
        add(thread, EventKind::Step, startNs, hostNs - startNs, "ProfilerStep#" + std::to_string(step));
    }
    return builder.build();
}

}  // namespace overlane::bench
