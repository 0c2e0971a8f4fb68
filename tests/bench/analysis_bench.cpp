// The whole analysis of a million events, and the parts of it that follow a selection or a click: a
// training loop with calls, operators, kernels and copies all linked, and a crowded trace without links.
// And traces of odd shapes at two sizes.
#include <benchmark/benchmark.h>
#include <random>

#include "core/analysis/copy_verdict.h"
#include "core/analysis/idle_attribution.h"
#include "core/analysis/steps.h"
#include "core/analysis/verdict.h"
#include "core/findings/findings.h"
#include "core/names/call_tree.h"
#include "core/names/named_work.h"
#include "tests/bench/crowded_trace.h"
#include "tests/support/odd_shapes.h"

namespace overlane
{
namespace
{

constexpr int kEvents = 1'000'000;
constexpr int kOperatorsPerStep = 100;

// Steps of a hundred operators, each with its launch and its kernel, behind two pageable copies.
std::shared_ptr<const Trace> trainingTrace(int events)
{
    std::mt19937 random(7);
    TraceBuilder builder;
    builder.reserve(static_cast<std::size_t>(events));
    const TrackId process = builder.addTrack({}, TrackKind::Process, "python");
    const TrackId thread = builder.addTrack(process, TrackKind::Thread, "main");
    const TrackId device = builder.addTrack({}, TrackKind::Device, "GPU 0", 0);
    const TrackId compute = builder.addTrack(builder.addTrack(device, TrackKind::EngineCompute, "compute", 0),
                                             TrackKind::Stream, "stream 7", 0, 7);
    const TrackId h2d = builder.addTrack(builder.addTrack(device, TrackKind::EngineH2D, "H2D", 0), TrackKind::Stream,
                                         "stream 20", 0, 20);
    std::vector<StringId> operators;
    std::vector<StringId> kernels;
    for (int name = 0; name < kOperatorsPerStep; ++name) {
        operators.push_back(builder.intern("aten::op_" + std::to_string(name)));
        kernels.push_back(builder.intern("kernel_" + std::to_string(name)));
    }
    const StringId launch = builder.intern("cudaLaunchKernel");
    const StringId copyCall = builder.intern("cudaMemcpyAsync");
    const StringId copyName = builder.intern("Memcpy HtoD (Pageable -> Device)");
    std::int64_t hostNs = 0;
    std::int64_t gpuNs = 0;
    std::uint32_t correlation = 0;
    const auto add = [&](TrackId track, EventKind kind, std::int64_t startNs, std::int64_t lengthNs, StringId name,
                         std::uint32_t link) {
        Event event;
        event.track = track;
        event.kind = kind;
        event.startNs = startNs;
        event.durationNs = lengthNs;
        event.name = name;
        event.correlation = link;
        event.process = 1;
        if (isCopy(kind))
            event.copy = CopyInfo{1 << 20, MemoryKind::Pageable, MemoryKind::Device, AsyncFlag::Async};
        builder.addEvent(event);
    };
    const int steps = events / (3 * kOperatorsPerStep + 4);
    for (int step = 0; step < steps; ++step) {
        for (int copy = 0; copy < 2; ++copy) {
            add(thread, EventKind::RuntimeCall, hostNs, 60'000, copyCall, ++correlation);
            add(h2d, EventKind::CopyH2D, hostNs + 10'000, 50'000, copyName, correlation);
            hostNs += 61'000;
        }
        gpuNs = std::max(gpuNs, hostNs);
        for (int at = 0; at < kOperatorsPerStep; ++at) {
            const auto name = static_cast<std::size_t>(at);
            const std::int64_t lengthNs = 8'000 + static_cast<std::int64_t>(random() % 9'000);
            add(thread, EventKind::HostWork, hostNs, lengthNs, operators[name], 0);
            add(thread, EventKind::RuntimeCall, hostNs + 3'000, 4'000, launch, ++correlation);
            gpuNs = std::max(gpuNs + 1'000, hostNs + 8'000);
            const std::int64_t kernelNs = 2'000 + static_cast<std::int64_t>(random() % 16'000);
            add(compute, EventKind::Kernel, gpuNs, kernelNs, kernels[name], correlation);
            gpuNs += kernelNs;
            hostNs += lengthNs + 500;
        }
    }
    return std::make_shared<const Trace>(builder.build());
}

std::shared_ptr<const Trace> traceOf(const benchmark::State& state)
{
    return state.range(0) == 0 ? trainingTrace(kEvents) : crowdedTrace(kEvents);
}

void analyzeMillion(benchmark::State& state)
{
    const auto trace = traceOf(state);
    for (auto _ : state) {
        const Analysis analysis(*trace);
        const StepSequence steps = detectSteps(*trace);
        benchmark::DoNotOptimize(verdictOfTrace(analysis, steps.steps));
        state.counters["steps"] = static_cast<double>(steps.steps.size());
    }
    state.counters["events"] = static_cast<double>(trace->eventCount());
}
BENCHMARK(analyzeMillion)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void analysisAlone(benchmark::State& state)
{
    const auto trace = traceOf(state);
    for (auto _ : state)
        benchmark::DoNotOptimize(Analysis(*trace).span());
}
BENCHMARK(analysisAlone)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void stepsAlone(benchmark::State& state)
{
    const auto trace = traceOf(state);
    for (auto _ : state)
        benchmark::DoNotOptimize(detectSteps(*trace).confidence);
}
BENCHMARK(stepsAlone)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

// All that a window asks when the selection moves: half of the trace, a little further each time.
void changedRange(benchmark::State& state)
{
    const auto trace = traceOf(state);
    const Analysis analysis(*trace);
    const std::vector<Step> steps = findSteps(*trace);
    const std::int64_t halfNs = analysis.span().lengthNs() / 2;
    std::int64_t startNs = analysis.span().startNs;
    for (auto _ : state) {
        startNs = startNs > halfNs ? 0 : startNs + 1'000'003;
        const Interval range{startNs, startNs + halfNs};
        benchmark::DoNotOptimize(verdict(analysis, steps, range));
        const std::vector<IdlePiece> pieces = idlePieces(analysis, 0, range);
        state.counters["pieces"] = static_cast<double>(pieces.size());
    }
}
BENCHMARK(changedRange)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void oneCopy(benchmark::State& state)
{
    const auto trace = traceOf(state);
    const Analysis analysis(*trace);
    const std::vector<CopyRecord>& copies = analysis.devices().front().h2dCopies;
    std::size_t at = 0;
    for (auto _ : state)
        benchmark::DoNotOptimize(copyVerdict(*trace, analysis, copies[at++ * 97 % copies.size()].event));
}
BENCHMARK(oneCopy)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

// What the table of names asks for when its range changes: host work (0) or kernels (1) of the whole trace.
void namesOfAll(benchmark::State& state)
{
    const auto trace = trainingTrace(kEvents);
    const Analysis analysis(*trace);
    Progress progress;
    for (auto _ : state)
        benchmark::DoNotOptimize(namedWork(
            *trace, analysis, {state.range(0) == 0 ? WorkGroupKind::HostWork : WorkGroupKind::Kernels}, progress));
}
BENCHMARK(namesOfAll)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void onePiece(benchmark::State& state)
{
    const auto trace = traceOf(state);
    const Analysis analysis(*trace);
    const std::vector<IdlePiece> pieces = idlePieces(analysis, 0, analysis.span());
    std::size_t at = 0;
    for (auto _ : state)
        benchmark::DoNotOptimize(idleEvidence(*trace, analysis, 0, pieces[at++ * 97 % pieces.size()]));
}
BENCHMARK(onePiece)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

// Host time by who calls whom, and the same turned around.
void callsOfMillion(benchmark::State& state)
{
    const auto trace = traceOf(state);
    Progress progress;
    for (auto _ : state) {
        const CallTree tree = callTree(*trace, {}, progress).value();
        benchmark::DoNotOptimize(invertedTree(tree, progress).value().root().totalNs);
        state.counters["nodes"] = static_cast<double>(tree.nodes().size());
    }
}
BENCHMARK(callsOfMillion)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

// Analysis and findings of what programs have a few of, thousands of times: linear in the argument.
template <test::OddShape kShape>
void oddShape(benchmark::State& state)
{
    const Trace trace = test::oddTrace(kShape, state.range(0));
    for (auto _ : state) {
        const Analysis analysis(trace);
        const std::vector<Step> steps = findSteps(trace);
        benchmark::DoNotOptimize(findings(trace, analysis, steps, activeRange(analysis, steps).range));
    }
    state.counters["events"] = static_cast<double>(trace.eventCount());
}
BENCHMARK(oddShape<test::OddShape::BlockingCopies>)->Arg(40'000)->Arg(160'000)->Unit(benchmark::kMillisecond);
BENCHMARK(oddShape<test::OddShape::LaunchingThreads>)->Arg(10'000)->Arg(40'000)->Unit(benchmark::kMillisecond);
BENCHMARK(oddShape<test::OddShape::Devices>)->Arg(10'000)->Arg(40'000)->Unit(benchmark::kMillisecond);
BENCHMARK(oddShape<test::OddShape::Streams>)->Arg(40'000)->Arg(160'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace overlane

BENCHMARK_MAIN();
