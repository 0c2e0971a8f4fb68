// How long sweeps take: 100 points of 200 batches, and an advice over all its combinations.
#include <benchmark/benchmark.h>

#include "core/sweep/advisor.h"
#include "core/sweep/sweep_runner.h"

namespace
{

using namespace overlane;

void hundredPoints(benchmark::State& state)
{
    const DeviceProfile& device = *findDeviceProfile("h200");
    SweepPlan plan;
    plan.base.batches = 200;
    plan.deviceKey = device.key;
    plan.axes = {parseSweepAxis("batch_bytes=1M..256M*50").value(), parseSweepAxis("pin=none,thread").value()};
    SweepOptions options;
    options.threads = static_cast<unsigned>(state.range(0));
    for (auto _ : state) {
        Progress progress;
        const auto result = runSweep(plan, device, progress, options);
        if (!result.ok() || !result.value().complete()) {
            state.SkipWithError("the sweep did not end");
            return;
        }
    }
}
BENCHMARK(hundredPoints)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

void advice(benchmark::State& state)
{
    const DeviceProfile& device = *findDeviceProfile("h200");
    for (auto _ : state) {
        Progress progress;
        const auto result = advise(Scenario{}, device, {}, progress, static_cast<unsigned>(state.range(0)));
        if (!result.ok()) {
            state.SkipWithError(result.error().c_str());
            return;
        }
        state.counters["combinations"] = static_cast<double>(result.value().tried);
    }
}
BENCHMARK(advice)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
