// Saving and opening a million events as .overlane.
#include <benchmark/benchmark.h>
#include <cstdlib>
#include <filesystem>
#include <random>

#include "core/io/overlane_format.h"
#include "core/trace/trace_builder.h"

namespace overlane
{
namespace
{

Trace millionEvents()
{
    std::mt19937 random(1);
    TraceBuilder builder;
    const TrackId host = builder.addTrack({}, TrackKind::Thread, "thread");
    const TrackId device = builder.addTrack({}, TrackKind::Stream, "stream", 0, 7);
    const StringId call = builder.intern("cudaLaunchKernel");
    const StringId kernel = builder.intern("gemm");
    std::int64_t timeNs = 0;
    for (std::uint32_t at = 1; at <= 500'000; ++at) {
        timeNs += 2000 + random() % 1000;
        Event event{host, timeNs, static_cast<std::int64_t>(500 + random() % 500), call, EventKind::RuntimeCall, at,
                    1,    {}};
        builder.addEvent(event);
        event = {device, timeNs + 1000, 1500, kernel, EventKind::Kernel, at, 1, {}};
        builder.addEvent(event);
    }
    return builder.build();
}

struct TraceFile {
    std::string path = (std::filesystem::temp_directory_path() / "overlane-bench.overlane").string();
    ~TraceFile() { std::filesystem::remove(path); }
};

void saveMillion(benchmark::State& state)
{
    const Trace trace = millionEvents();
    const TraceFile file;
    Progress progress;
    for (auto _ : state)
        if (!overlaneFormat().write(trace, file.path, progress).ok())
            state.SkipWithError("the trace cannot be saved");
    state.counters["bytes_per_event"] =
        static_cast<double>(std::filesystem::file_size(file.path)) / static_cast<double>(trace.eventCount());
}
BENCHMARK(saveMillion)->Unit(benchmark::kMillisecond);

void openMillion(benchmark::State& state)
{
    const Trace trace = millionEvents();
    const TraceFile file;
    Progress progress;
    if (!overlaneFormat().write(trace, file.path, progress).ok())
        state.SkipWithError("the trace cannot be saved");
    for (auto _ : state)
        if (!overlaneFormat().read(file.path, progress).ok())
            state.SkipWithError("the trace cannot be opened");
}
BENCHMARK(openMillion)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace overlane

BENCHMARK_MAIN();
