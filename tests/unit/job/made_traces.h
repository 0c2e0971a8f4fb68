// The traces of a job of some ranks that meet in two all-reduces a step, one of them held back in a known way. Each
// rank has a host that waits for a batch, copies it, launches kernels and, where told, waits for its GPU; the kernels
// run in order; each all-reduce ends on all ranks when the last one has come and the bytes are moved. Times vary by a
// seed.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/support/sample_traces.h"
#include "tests/unit/job/made_job.h"

namespace overlane::test
{

enum class Plant { None, Loader, Pageable, SlowGpu, LateHost, SlowLink };

struct MadeTraces {
    int ranks = 4;
    int steps = 24;
    Plant plant = Plant::None;
    std::int64_t plantedNs = 5 * kMs;  // what a step of it takes longer; a copy takes as long, kernels together
    int planted = 2;                   // this rank
    bool waitsEachStep = true;         // as for loss.item(): else the host runs ahead by up to three steps
    std::uint32_t seed = 1;
    std::int64_t clockApartNs = 250 * kUs;  // of a rank to the next
};

inline std::vector<Trace> madeTraces(const MadeTraces& job)
{
    constexpr int kKernels = 10;
    constexpr std::int64_t kTransferNs = 400 * kUs;
    const auto count = static_cast<std::size_t>(job.ranks);
    std::mt19937 random(job.seed);
    std::uniform_real_distribution<double> vary(0.97, 1.03);
    const auto varied = [&](std::int64_t ns) {
        return static_cast<std::int64_t>(static_cast<double>(ns) * vary(random));
    };
    std::vector<SampleTrace> traces(count);
    std::vector<std::int64_t> host(count, kMs);         // where each host is
    std::vector<std::int64_t> gpu(count, 0);            // when its stream is free
    std::vector<std::int64_t> communication(count, 0);  // when its stream of NCCL is free
    std::vector<std::uint32_t> correlation(count, 1);
    std::vector<std::vector<std::int64_t>> ends(count);  // of the steps on the GPU
    for (int step = 0; step < job.steps; ++step) {
        std::vector<std::int64_t> begun = host;
        std::vector<std::array<std::int64_t, 2>> ready(count);
        std::vector<std::array<std::uint32_t, 2>> calls(count);
        for (std::size_t rank = 0; rank < count; ++rank) {
            SampleTrace& trace = traces[rank];
            const Plant plant = static_cast<int>(rank) == job.planted ? job.plant : Plant::None;
            std::int64_t& atNs = host[rank];
            const auto call = [&](const char* name, std::int64_t ns) {
                trace.host(EventKind::RuntimeCall, atNs, atNs + ns, name, correlation[rank]);
                atNs += ns;
                return correlation[rank]++;
            };
            const auto work = [&](std::int64_t ns, const char* name) {
                trace.host(EventKind::HostWork, atNs, atNs + ns, name);
                atNs += ns;
            };
            work(varied(plant == Plant::Loader ? job.plantedNs : 60 * kUs),
                 "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__");
            if (plant == Plant::LateHost)
                work(varied(job.plantedNs), "aten::tokenize");
            // The copy, in the stream of the kernels.
            const bool isPageable = plant == Plant::Pageable;
            const std::int64_t copyNs = varied(plant == Plant::SlowLink || isPageable ? job.plantedNs : 500 * kUs);
            const std::int64_t askedNs = atNs;
            const std::int64_t copyStartNs = std::max(gpu[rank], askedNs + 5 * kUs);
            gpu[rank] = copyStartNs + copyNs;
            const std::uint32_t copyCall = call("cudaMemcpyAsync", isPageable ? gpu[rank] - askedNs : 8 * kUs);
            trace.copy(EventKind::CopyH2D, copyStartNs, gpu[rank],
                       isPageable ? MemoryKind::Pageable : MemoryKind::Pinned, 16 << 20, 7, AsyncFlag::Async, copyCall);
            for (int half = 0; half < 2; ++half) {
                for (int at = 0; at < kKernels / 2; ++at) {
                    work(varied(90 * kUs), "aten::mm");
                    const std::uint32_t launch = call("cudaLaunchKernel", 6 * kUs);
                    const std::int64_t startNs = std::max(gpu[rank], atNs);
                    gpu[rank] = startNs + varied(700 * kUs + (plant == Plant::SlowGpu ? job.plantedNs / kKernels : 0));
                    trace.kernel(startNs, gpu[rank], 7, launch);
                }
                trace.host(EventKind::Annotation, atNs, atNs + 12 * kUs, "nccl:all_reduce");
                atNs += 2 * kUs;
                const auto place = static_cast<std::size_t>(half);
                calls[rank][place] = call("cudaLaunchKernelExC", 8 * kUs);
                atNs += 2 * kUs;
                ready[rank][place] = std::max(gpu[rank], atNs);
            }
        }
        for (std::size_t half = 0; half < 2; ++half) {
            std::int64_t lastNs = 0;
            std::vector<std::int64_t> starts(count);
            for (std::size_t rank = 0; rank < count; ++rank) {
                starts[rank] = std::max(ready[rank][half], communication[rank]);
                lastNs = std::max(lastNs, starts[rank]);
            }
            const std::int64_t endNs = lastNs + varied(kTransferNs);
            for (std::size_t rank = 0; rank < count; ++rank) {
                communication[rank] = endNs + static_cast<std::int64_t>(random() % 3000);
                traces[rank].add(traces[rank].stream(TrackKind::EngineCompute, 20), EventKind::Kernel, starts[rank],
                                 communication[rank], "ncclDevKernel_AllReduce_Sum_f32_RING_LL", calls[rank][half]);
            }
        }
        for (std::size_t rank = 0; rank < count; ++rank) {
            SampleTrace& trace = traces[rank];
            // The optimizer needs the gradients.
            const std::int64_t startNs = std::max(gpu[rank], communication[rank]);
            trace.host(EventKind::RuntimeCall, host[rank], host[rank] + 6 * kUs, "cudaLaunchKernel", correlation[rank]);
            host[rank] += 6 * kUs;
            gpu[rank] = startNs + varied(300 * kUs);
            trace.kernel(startNs, gpu[rank], 7, correlation[rank]++);
            ends[rank].push_back(gpu[rank]);
            const int waitedFor = job.waitsEachStep ? step : step - 3;
            if (waitedFor >= 0 && ends[rank][static_cast<std::size_t>(waitedFor)] > host[rank]) {
                const std::int64_t untilNs = ends[rank][static_cast<std::size_t>(waitedFor)];
                trace.host(EventKind::RuntimeCall, host[rank], untilNs, "cudaEventSynchronize");
                host[rank] = untilNs;
            }
            trace.host(EventKind::Step, begun[rank], host[rank], "ProfilerStep#" + std::to_string(step + 5));
        }
    }
    std::vector<Trace> made;
    for (std::size_t rank = 0; rank < count; ++rank) {
        traces[rank].builder().metadata().startEpochNs =
            kMadeEpochNs + static_cast<std::int64_t>(rank) * job.clockApartNs;
        made.push_back(traces[rank].build());
    }
    return made;
}

}  // namespace overlane::test
