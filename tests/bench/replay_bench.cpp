// Times what-if on a training loop of 100,000 events: building the program once, a change predicted, and a
// change predicted with its timeline, which is what a toggle in the window waits for.
#include <benchmark/benchmark.h>

#include "core/replay/replay.h"
#include "core/trace/trace_builder.h"
#include "tests/support/built_replay.h"

using namespace overlane;

namespace
{

// Steps of 200 launches with their kernels, an operator around each call, and one staged copy.
std::shared_ptr<const Trace> trainingLoop(int events)
{
    constexpr int kLaunches = 200;
    constexpr std::int64_t kLaunchNs = 10'000;
    TraceBuilder builder;
    const TrackId process = builder.addTrack({}, TrackKind::Process, "python", -1, 1);
    const TrackId thread = builder.addTrack(process, TrackKind::Thread, "main", -1, 2);
    const TrackId steps = builder.addTrack(process, TrackKind::Annotations, "steps");
    const TrackId device = builder.addTrack({}, TrackKind::Device, "GPU 0", 0);
    const TrackId compute = builder.addTrack(device, TrackKind::EngineCompute, "compute", 0);
    const TrackId copies = builder.addTrack(device, TrackKind::EngineH2D, "H2D", 0);
    const TrackId kernels = builder.addTrack(compute, TrackKind::Stream, "stream 7", 0, 7);
    const TrackId copyStream = builder.addTrack(copies, TrackKind::Stream, "stream 7", 0, 7);
    builder.addDevice({0, "NVIDIA H200", 0, 0});
    const StringId names[] = {builder.intern("aten::mm"), builder.intern("cudaLaunchKernel"), builder.intern("gemm"),
                              builder.intern("cudaMemcpyAsync"), builder.intern("Memcpy HtoD (Pageable -> Device)")};
    std::uint32_t correlation = 0;
    std::int64_t nowNs = 0;
    const auto add = [&](TrackId track, EventKind kind, StringId name, std::int64_t startNs, std::int64_t lengthNs,
                         std::optional<CopyInfo> copy = {}) {
        Event event;
        event.track = track;
        event.kind = kind;
        event.name = name;
        event.startNs = startNs;
        event.durationNs = lengthNs;
        event.correlation = kind == EventKind::HostWork || kind == EventKind::Step ? 0 : correlation;
        event.process = 1;
        event.copy = copy;
        builder.addEvent(event);
    };
    for (int step = 0; step * (3 * kLaunches + 3) < events; ++step) {
        const std::int64_t startNs = nowNs;
        ++correlation;
        add(thread, EventKind::RuntimeCall, names[3], nowNs, 1'000'000);
        add(copyStream, EventKind::CopyH2D, names[4], nowNs + 20'000, 980'000,
            CopyInfo{10 << 20, MemoryKind::Pageable, MemoryKind::Device, AsyncFlag::Async});
        nowNs += 1'005'000;
        for (int launch = 0; launch < kLaunches; ++launch, nowNs += kLaunchNs) {
            ++correlation;
            add(thread, EventKind::HostWork, names[0], nowNs, 8'000);
            add(thread, EventKind::RuntimeCall, names[1], nowNs + 2'000, 4'000);
            add(kernels, EventKind::Kernel, names[2], nowNs + 7'000, 9'000);
        }
        add(steps, EventKind::Step, builder.intern("step " + std::to_string(step)), startNs, nowNs - startNs);
    }
    return std::make_shared<const Trace>(builder.build(false));
}

const std::shared_ptr<const Trace>& loop()
{
    static const std::shared_ptr<const Trace> kTrace = trainingLoop(100'000);
    return kTrace;
}

std::vector<Change> pinAndSideStream()
{
    return {parseChange("pin").value(), parseChange("non_blocking").value(), parseChange("side_stream=2").value()};
}

void buildProgram(benchmark::State& state)
{
    for (auto _ : state)
        benchmark::DoNotOptimize(test::builtReplay(loop()).ok());
    state.counters["events"] = static_cast<double>(loop()->eventCount());
}
BENCHMARK(buildProgram)->Unit(benchmark::kMillisecond);

void predictStepTime(benchmark::State& state)
{
    const Result<Replay> replay = test::builtReplay(loop());
    for (auto _ : state)
        benchmark::DoNotOptimize(replay.value().predict(pinAndSideStream()).value().stepNsPredicted);
}
BENCHMARK(predictStepTime)->Unit(benchmark::kMillisecond);

void predictTimeline(benchmark::State& state)
{
    const Result<Replay> replay = test::builtReplay(loop());
    for (auto _ : state)
        benchmark::DoNotOptimize(replay.value().predict(pinAndSideStream(), WithTrace::Yes).value().trace);
}
BENCHMARK(predictTimeline)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
