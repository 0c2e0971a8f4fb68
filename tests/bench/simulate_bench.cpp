// How long a scenario takes to simulate: 1,000 batches, 8 workers, prefetch 2.
#include <benchmark/benchmark.h>

#include "core/loader/run.h"

namespace
{

overlane::Scenario thousandBatches()
{
    overlane::Scenario scenario;
    scenario.batches = 1000;
    scenario.workers = 8;
    scenario.prefetchFactor = 2;
    scenario.pin = overlane::PinStrategy::Thread;
    scenario.nonBlocking = true;
    scenario.copyStream = overlane::CopyStream::Side;
    return scenario;
}

void simulate(benchmark::State& state, const overlane::Scenario& scenario)
{
    const overlane::DeviceProfile* device = overlane::findDeviceProfile("h200");
    std::size_t events = 0;
    for (auto _ : state) {
        const auto result = overlane::simulate(scenario, *device);
        if (!result.ok()) {
            state.SkipWithError(result.error().c_str());
            return;
        }
        events = result.value().trace.eventCount();
    }
    state.counters["events"] = static_cast<double>(events);
}

BENCHMARK_CAPTURE(simulate, pinned_side_stream, thousandBatches())->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(simulate, pageable_blocking,
                  [] {
                      overlane::Scenario scenario = thousandBatches();
                      scenario.pin = overlane::PinStrategy::None;
                      scenario.nonBlocking = false;
                      return scenario;
                  }())
    ->Unit(benchmark::kMillisecond);

// More actors than cores, and more memory traffic than the socket carries: rates change all the time.
BENCHMARK_CAPTURE(simulate, crowded_host,
                  [] {
                      overlane::Scenario scenario = thousandBatches();
                      scenario.workers = 16;
                      scenario.cores = 4;
                      scenario.readUs = 20;
                      scenario.transformUs = 100;
                      return scenario;
                  }())
    ->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
