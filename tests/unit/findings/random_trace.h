// RandomTrace: random events of all kinds on two devices. The same seed gives the same trace.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "tests/support/sample_traces.h"

namespace overlane::test
{

class RandomTrace
{
public:
    explicit RandomTrace(std::uint32_t seed) : m_random(seed) {}

    Trace build()
    {
        constexpr const char* kFormats[] = {"simulated", "kineto", "nsys", "measured", "recorded"};
        test::SampleTrace sample;
        TraceBuilder& builder = sample.builder();
        builder.metadata().format = kFormats[number(5)];
        builder.addDevice({0, "NVIDIA A100-SXM4-40GB", 0, 0});
        const TrackId second = builder.addTrack({}, TrackKind::Device, "GPU 1", 1, 1);
        const TrackId kernels = builder.addTrack(second, TrackKind::Stream, "stream 7", 1, 7);
        const TrackId worker = builder.addTrack(sample.process(), TrackKind::LoaderActor, "worker 0");
        const TrackId pressure = builder.addCounter(sample.process(), "Memory pressure (some)", CounterUnit::Percent);
        const TrackId swap = builder.addCounter(sample.process(), "Swap used", CounterUnit::Bytes);
        std::uint32_t id = 0;
        const std::int64_t events = 20 + number(300);
        for (std::int64_t at = 0; at < events; ++at) {
            const std::int64_t startNs = number(3 * kMs);
            const std::int64_t endNs = startNs + number(number(2) == 0 ? 200 * kUs : 10 * kUs);
            const std::int64_t stream = number(3) == 0 ? 20 : 7;
            const std::int64_t callNs = startNs - number(300 * kUs);
            const std::int64_t callEndNs = callNs + number(100 * kUs);
            switch (number(10)) {
                case 0:
                case 1:
                case 2:
                    sample.host(EventKind::RuntimeCall, callNs, callEndNs, "cudaLaunchKernel", ++id);
                    sample.kernel(startNs, endNs, stream, id);
                    break;
                case 3:
                case 4: {
                    constexpr EventKind kCopies[] = {EventKind::CopyH2D, EventKind::CopyD2H};
                    constexpr MemoryKind kMemory[] = {MemoryKind::Pinned, MemoryKind::Pageable, MemoryKind::Unknown,
                                                      MemoryKind::Managed};
                    constexpr AsyncFlag kAsync[] = {AsyncFlag::Unknown, AsyncFlag::Sync, AsyncFlag::Async};
                    sample.host(EventKind::RuntimeCall, callNs, callEndNs, "cudaMemcpyAsync", ++id);
                    sample.copy(kCopies[number(2)], startNs, endNs, kMemory[number(4)], number(2) == 0 ? 4 : 4 << 20,
                                stream, kAsync[number(3)], id);
                    break;
                }
                case 5: {
                    constexpr const char* kCalls[] = {"cudaDeviceSynchronize", "cudaHostAlloc", "cudaStreamWaitEvent",
                                                      "cudaStreamSynchronize"};
                    sample.host(EventKind::RuntimeCall, startNs, endNs, kCalls[number(4)]);
                    break;
                }
                case 6: {
                    constexpr const char* kWork[] = {"aten::pin_memory", "parse", "read result",
                                                     "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"};
                    constexpr EventKind kKinds[] = {EventKind::HostWork, EventKind::LoaderWait, EventKind::Loader,
                                                    EventKind::Annotation};
                    sample.host(kKinds[number(4)], startNs, endNs, kWork[number(4)]);
                    break;
                }
                case 7:
                    sample.add(worker, EventKind::Loader, startNs, endNs, "batch");
                    break;
                case 8:
                    sample.add(kernels, number(2) == 0 ? EventKind::Kernel : EventKind::Memset, startNs, endNs, "k");
                    sample.add(sample.stream(TrackKind::EnginePeer, 9), EventKind::CopyOther, startNs, endNs,
                               number(2) == 0 ? "Unified memory HtoD" : "Memcpy HtoH");
                    break;
                default:
                    builder.addSample(pressure, startNs, static_cast<double>(number(40)));
                    builder.addSample(swap, startNs, static_cast<double>(number(1 << 30)));
                    sample.host(EventKind::Instant, startNs, startNs, "hazard: result read before its copy ended");
                    break;
            }
        }
        for (std::int64_t step = 0; step < number(6); ++step)
            sample.host(EventKind::Step, step * kMs, (step + 1) * kMs, "step " + std::to_string(step));
        return sample.build();
    }

    std::int64_t number(std::int64_t below)
    {
        return std::uniform_int_distribution<std::int64_t>(0, below - 1)(m_random);
    }

private:
    std::mt19937 m_random;
};

}  // namespace overlane::test
