// Times the frames of the timeline and its gauges over a seeded path of pans and zooms on a large trace with
// a counter sample for each event, drawn in software at 1920x1080, half of the height for ten gauges: prints
// the median, the 99th percentile and the slowest frame, by the clock on the wall and by the time of this
// thread, which other programs on the machine do not lengthen. A frame begins with the change of the range.
// With `all` there is everything at once that the timeline can show (crowded_window.h), and the time cursor moves in
// each frame; then as many frames in which nothing but the cursor moves.
//
//   timeline_bench [events] [frames] [gauges, 0 to 10; with 0 the lanes have the whole height] [all]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <memory>
#include <random>
#include <string_view>
#include <vector>

#include <QApplication>
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
#include "tests/bench/crowded_window.h"

using namespace overlane;

namespace
{

double threadMs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

void printTimes(const char* what, std::vector<double> wall, std::vector<double> own)
{
    std::sort(wall.begin(), wall.end());
    std::sort(own.begin(), own.end());
    const std::size_t frames = wall.size();
    std::printf("%s: frames %zu  p50 %.2f ms  p99 %.2f ms  slowest %.2f ms  thread p50 %.2f ms  p99 %.2f ms\n", what,
                frames, wall[frames / 2], wall[frames * 99 / 100], wall.back(), own[frames / 2],
                own[frames * 99 / 100]);
}

void timeFrames(const char* what, int frames, const std::function<void(int)>& frame)
{
    std::vector<double> wall;
    std::vector<double> own;
    for (int i = 0; i < frames; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const double startMs = threadMs();
        frame(i);
        own.push_back(threadMs() - startMs);
        wall.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    printTimes(what, std::move(wall), std::move(own));
}

class Path
{
public:
    explicit Path(ViewRange* view) : m_view(view) {}
    void step(int frame)
    {
        const Interval range = m_view->range();
        const auto anchorNs =
            range.startNs + static_cast<std::int64_t>(m_random() % static_cast<std::uint64_t>(range.lengthNs()));
        if (frame % 100 == 99)
            m_view->fitAll();
        else if (frame % 2 == 0)
            m_view->zoomBy(m_random() % 3 == 0 ? 0.7 : 1.3, anchorNs);
        else
            m_view->panBy((m_random() % 2 == 0 ? 1 : -1) * range.lengthNs() / 20);
    }
    double share() { return static_cast<double>(m_random() % 1000) / 1000; }

private:
    ViewRange* m_view;
    std::mt19937 m_random{7};
};

bool timePlain(const std::shared_ptr<const Trace>& trace, const std::shared_ptr<const TracePyramids>& pyramids,
               int frames, int counters)
{
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
        return false;
    }
    Path path(&view);
    timeFrames("pan and zoom", frames, [&](int i) {
        path.step(i);
        timeline.render(&image);
        if (counters > 0)
            gauges.plot()->replot(QCustomPlot::rpImmediateRefresh);
    });
    return true;
}

bool timeEverything(const std::shared_ptr<const Trace>& trace, const std::shared_ptr<const TracePyramids>& pyramids,
                    int frames, int counters)
{
    CrowdedWindow window(trace, pyramids);
    if (window.gauges() != counters || !window.isWhole()) {
        std::fprintf(stderr, "%d of %d gauges are shown, or lanes are missing.\n", window.gauges(), counters);
        return false;
    }
    std::printf("search hits %zu\n", window.hits());
    Path path(&window.view());
    timeFrames("all, pan and zoom", frames, [&](int i) {
        path.step(i);
        if (i % 25 == 0)
            window.selectInSight();
        window.pointAt(path.share());
        window.drawRange();
    });
    timeFrames("all, cursor alone", frames, [&](int) {
        window.pointAt(path.share());
        window.drawCursor();
    });
    return true;
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
    const bool everything = argc > 4 && std::string_view(argv[4]) == "all";
    if (events < 100 || frames < 1 || counters < 0 || counters > GaugePanel::kMaximumPlots) {
        std::fprintf(stderr, "Give at least 100 events, 1 frame and 0 to 10 gauges.\n");
        return 2;
    }
    const auto trace = crowdedTrace(events, counters, everything);
    const double startedMs = threadMs();
    const auto pyramids = std::make_shared<const TracePyramids>(trace);
    const double pyramidsMs = threadMs() - startedMs;
    const double perEvent =
        static_cast<double>(trace->bytes() + pyramids->bytes()) / static_cast<double>(trace->eventCount());
    std::printf("events %zu  gauges %d  bytes/event %.1f  pyramids %.0f ms\n", trace->eventCount(), counters, perEvent,
                pyramidsMs);
    return (everything ? timeEverything : timePlain)(trace, pyramids, frames, counters) ? 0 : 1;
}
