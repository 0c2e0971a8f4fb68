// Times the frames of the timeline and its gauges over a seeded path of pans and zooms on a large trace with
// a counter sample for each event, drawn in software at 1920x1080, half of the height for ten gauges: prints
// the median, the 99th percentile and the slowest frame, by the clock on the wall and by the time of this
// thread, which other programs on the machine do not lengthen. A frame begins with the change of the range.
//
//   timeline_bench [events] [frames] [gauges, 0 to 10; with 0 the lanes have the whole height]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <vector>

#include <QImage>
#include <qcustomplot.h>

#include "app/theme/palette.h"
#include "app/timeline/gauge_panel.h"
#include "app/timeline/selection.h"
#include "app/timeline/timeline_view.h"
#include "app/timeline/view_range.h"
#include "core/base/units.h"
#include "core/lod/trace_pyramids.h"
#include "tests/bench/crowded_trace.h"

using namespace overlane;

namespace
{

double threadMs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

}  // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    applyTheme(application, Theme::Light);
    const int events = argc > 1 ? std::atoi(argv[1]) : 1'000'000;
    const int frames = argc > 2 ? std::atoi(argv[2]) : 600;
    const int counters = argc > 3 ? std::atoi(argv[3]) : GaugePanel::kMaximumPlots;
    if (events < 100 || frames < 1 || counters < 0 || counters > GaugePanel::kMaximumPlots) {
        std::fprintf(stderr, "Give at least 100 events, 1 frame and 0 to 10 gauges.\n");
        return 2;
    }
    const auto trace = crowdedTrace(events, counters);
    const double startedMs = threadMs();
    const auto pyramids = std::make_shared<const TracePyramids>(trace);
    const double pyramidsMs = threadMs() - startedMs;
    const double perEvent =
        static_cast<double>(trace->bytes() + pyramids->bytes()) / static_cast<double>(trace->eventCount());

    ViewRange view;
    Selection selection;
    TimelineView timeline(&view, &selection);
    GaugePanel gauges(&view);
    gauges.resize(1920, 540);
    timeline.resize(1920, counters > 0 ? 540 : 1080);
    timeline.setTrace(trace, pyramids);
    gauges.setTrace(trace, pyramids);
    timeline.expandAll();
    timeline.show();
    QImage image(1920, 1080, QImage::Format_RGB32);
    timeline.render(&image);
    gauges.setVisible(counters > 0);
    if (gauges.plotCount() != counters) {
        std::fprintf(stderr, "%d of %d gauges are shown.\n", gauges.plotCount(), counters);
        return 1;
    }

    std::mt19937 random(7);
    std::vector<double> times;
    std::vector<double> own;
    for (int i = 0; i < frames; ++i) {
        const Interval range = view.range();
        const auto anchorNs =
            range.startNs + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(range.lengthNs()));
        const auto start = std::chrono::steady_clock::now();
        const double startMs = threadMs();
        if (i % 100 == 99)
            view.fitAll();
        else if (i % 2 == 0)
            view.zoomBy(random() % 3 == 0 ? 0.7 : 1.3, anchorNs);
        else
            view.panBy((random() % 2 == 0 ? 1 : -1) * range.lengthNs() / 20);
        timeline.render(&image);
        if (counters > 0)
            gauges.plot()->replot(QCustomPlot::rpImmediateRefresh);
        own.push_back(threadMs() - startMs);
        times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    std::sort(times.begin(), times.end());
    std::sort(own.begin(), own.end());
    std::printf(
        "events %zu  gauges %d  bytes/event %.1f  pyramids %.0f ms  frames %d  p50 %.2f ms  p99 %.2f ms  slowest %.2f "
        "ms  thread p50 %.2f ms  p99 %.2f ms\n",
        trace->eventCount(), counters, perEvent, pyramidsMs, frames, times[times.size() / 2],
        times[times.size() * 99 / 100], times.back(), own[own.size() / 2], own[own.size() * 99 / 100]);
    return 0;
}
