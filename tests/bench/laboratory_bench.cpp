// Times what one move of a slider costs: simulate 1,000 batches with 8 workers, analyze, judge, and
// draw the timeline and the gauges in software at the size they have in a 1920x1080 window.
#include <benchmark/benchmark.h>

#include <QApplication>
#include <QImage>

#include "app/timeline/gauge_panel.h"
#include "app/timeline/selection.h"
#include "app/timeline/timeline_view.h"
#include "app/timeline/view_range.h"
#include "core/analysis/verdict.h"
#include "core/loader/run.h"
#include "core/loader/settings.h"

namespace
{

using namespace overlane;

constexpr QSize kTimelineSize(1270, 620);
constexpr QSize kGaugesSize(1270, 210);

void moveSlider(benchmark::State& state)
{
    Scenario scenario;
    scenario.batches = 1000;
    scenario.workers = 8;
    scenario.prefetchFactor = 2;
    const DeviceProfile& device = *findDeviceProfile("h200");

    ViewRange view;
    Selection selection;
    TimelineView timeline(&view, &selection);
    GaugePanel gauges(&view);
    timeline.resize(kTimelineSize);
    gauges.resize(kGaugesSize);
    timeline.show();
    gauges.show();
    QImage lanes(kTimelineSize, QImage::Format_RGB32);
    QImage plots(kGaugesSize, QImage::Format_RGB32);
    std::size_t events = 0;
    for ([[maybe_unused]] const auto iteration : state) {
        scenario.computeUs = scenario.computeUs == 6000 ? 6500 : 6000;
        Result<RunResult> run = simulate(scenario, device);
        if (!run.ok()) {
            state.SkipWithError(run.error().c_str());
            return;
        }
        const auto trace = std::make_shared<const Trace>(std::move(run).value().trace);
        const Analysis analysis(*trace);
        benchmark::DoNotOptimize(verdict(analysis, findSteps(*trace), trace->span()));
        const auto pyramids = std::make_shared<const TracePyramids>(trace);
        timeline.setTrace(trace, pyramids);
        gauges.setTrace(trace, pyramids);
        timeline.render(&lanes);
        gauges.render(&plots);
        events = trace->eventCount();
    }
    state.counters["events"] = static_cast<double>(events);
}
BENCHMARK(moveSlider)->Unit(benchmark::kMillisecond);

}  // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
