// Opening PyTorch traces: the largest public one (gzip) and generated plain JSON; and writing it.
#include <benchmark/benchmark.h>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <random>

#include "core/io/format.h"
#include "core/io/kineto_format.h"

namespace
{

void openH100Gzip(benchmark::State& state)
{
    const std::string path =
        std::string(OVERLANE_SOURCE_DIR) + "/tests/data/traces/kineto/tracelens_h100_owlv2.json.gz";
    std::size_t events = 0;
    for (auto _ : state) {
        overlane::Progress progress;
        const auto trace = overlane::readTrace(path, progress);
        if (!trace.ok())
            return state.SkipWithError(trace.error().c_str());
        events = trace.value().eventCount();
    }
    state.counters["events"] = static_cast<double>(events);
}
BENCHMARK(openH100Gzip)->Unit(benchmark::kMillisecond)->UseRealTime();

// The same trace written as JSON: 0 plain, 1 gzip.
void writeH100Json(benchmark::State& state)
{
    const std::string path =
        std::string(OVERLANE_SOURCE_DIR) + "/tests/data/traces/kineto/tracelens_h100_owlv2.json.gz";
    const std::string out =
        (std::filesystem::temp_directory_path() / "overlane-bench.json").string() + (state.range(0) == 1 ? ".gz" : "");
    overlane::Progress progress;
    const auto trace = overlane::readTrace(path, progress);
    if (!trace.ok())
        return state.SkipWithError(trace.error().c_str());
    for (auto _ : state) {
        const auto written = overlane::writeTrace(trace.value(), out, progress);
        if (!written.ok())
            return state.SkipWithError(written.error().c_str());
    }
    state.counters["events"] = static_cast<double>(trace.value().eventCount());
    state.counters["bytes"] = static_cast<double>(std::filesystem::file_size(out));
    std::filesystem::remove(out);
}
BENCHMARK(writeH100Json)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond)->UseRealTime();

std::string generatedJson(int events)
{
    std::mt19937_64 random(7);
    std::string text = "{\"schemaVersion\": 1, \"traceEvents\": [";
    std::int64_t ns = 1'000'000;
    for (int at = 0; at < events; ++at) {
        ns += static_cast<std::int64_t>(random() % 20'000);
        text += fmt::format(R"({}
  {{
    "ph": "X", "cat": "{}", "name": "aten::op_{}", "pid": 100, "tid": {},
    "ts": {}.{:03}, "dur": {}.{:03},
    "args": {{
      "External id": {}, "Record function id": 0, "Concrete Inputs": ["", "", "[]"], "Input type": ["float", "Scalar"],
      "Input Dims": [[64, 3, 224, 224], []], "Ev Idx": {}, "device": 0, "stream": 7, "correlation": {}
    }}
  }})",
                            at == 0 ? "" : ",", at % 4 == 0 ? "kernel" : "cpu_op", random() % 200, 100 + at % 3,
                            ns / 1000, ns % 1000, random() % 20, random() % 1000, at, at, at);
    }
    return text + "]}";
}

void parsePlainJson(benchmark::State& state)
{
    const std::string text = generatedJson(200'000);
    for (auto _ : state) {
        overlane::MemorySource source(text);
        overlane::Progress progress;
        const auto trace = overlane::readKineto(source, "generated", progress);
        if (!trace.ok())
            return state.SkipWithError(trace.error().c_str());
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(parsePlainJson)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
