// Times the frames of the timeline over a seeded path of pans and zooms on a large trace, drawn in
// software at 1920x1080: prints the median, the 99th percentile and the slowest frame, by the clock on
// the wall and by the time of this thread, which other programs on the machine do not lengthen.
//
//   timeline_bench [events] [frames] [picture.png]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <vector>

#include <QImage>

#include "app/theme/palette.h"
#include "app/timeline/selection.h"
#include "app/timeline/timeline_view.h"
#include "app/timeline/view_range.h"
#include "core/base/units.h"
#include "core/lod/pyramid.h"
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
    if (events < 100 || frames < 1) {
        std::fprintf(stderr, "Give at least 100 events and 1 frame.\n");
        return 2;
    }
    const auto trace = crowdedTrace(events);
    const double perEvent =
        static_cast<double>(trace->bytes() + Pyramid(*trace).bytes()) / static_cast<double>(trace->eventCount());

    ViewRange view;
    Selection selection;
    TimelineView timeline(&view, &selection);
    timeline.resize(1920, 1080);
    timeline.setTrace(trace);
    timeline.expandAll();
    timeline.show();
    QImage image(1920, 1080, QImage::Format_RGB32);
    timeline.render(&image);

    std::mt19937 random(7);
    std::vector<double> times;
    std::vector<double> own;
    for (int i = 0; i < frames; ++i) {
        const Interval range = view.range();
        const auto anchorNs =
            range.startNs + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(range.lengthNs()));
        if (i % 100 == 99)
            view.fitAll();
        else if (i % 2 == 0)
            view.zoomBy(random() % 3 == 0 ? 0.7 : 1.3, anchorNs);
        else
            view.panBy((random() % 2 == 0 ? 1 : -1) * range.lengthNs() / 20);
        const auto start = std::chrono::steady_clock::now();
        const double startMs = threadMs();
        timeline.render(&image);
        own.push_back(threadMs() - startMs);
        times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    if (argc > 3)
        image.save(QString::fromLocal8Bit(argv[3]));
    std::sort(times.begin(), times.end());
    std::sort(own.begin(), own.end());
    std::printf(
        "events %zu  bytes/event %.1f  frames %d  p50 %.2f ms  p99 %.2f ms  slowest %.2f ms  thread p50 %.2f ms  p99 "
        "%.2f ms\n",
        trace->eventCount(), perEvent, frames, times[times.size() / 2], times[times.size() * 99 / 100], times.back(),
        own[own.size() / 2], own[own.size() * 99 / 100]);
    return 0;
}
