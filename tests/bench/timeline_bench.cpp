// Times the frames of the timeline over a seeded path of pans and zooms on a large trace, drawn in
// software at 1920x1080: prints the median, the 99th percentile and the slowest frame.
//
//   timeline_bench [events] [frames] [picture.png]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include <QImage>

#include "app/theme/palette.h"
#include "app/timeline/selection.h"
#include "app/timeline/timeline_view.h"
#include "app/timeline/view_range.h"
#include "core/base/units.h"
#include "core/lod/pyramid.h"
#include "core/trace/trace_builder.h"

namespace
{

using namespace overlane;

// Eight threads of calls nested up to four deep, one GPU with four engines and streams.
std::shared_ptr<const Trace> crowdedTrace(int events)
{
    TraceBuilder builder;
    builder.reserve(static_cast<std::size_t>(events));
    std::mt19937 random(20260101);
    const auto upTo = [&](std::uint32_t limit) { return static_cast<std::int64_t>(random() % limit); };
    std::vector<StringId> names;
    for (int i = 0; i < 500; ++i)
        names.push_back(builder.intern("void at::native::kernel_" + std::to_string(i) + "<float, 4>(int, float*)"));
    const TrackId process = builder.addTrack({}, TrackKind::Process, "python");
    const TrackId device = builder.addTrack({}, TrackKind::Device, "GPU 0", 0);
    std::vector<std::pair<TrackId, EventKind>> tracks;
    for (int i = 0; i < 24; ++i)
        tracks.emplace_back(builder.addTrack(process, TrackKind::Thread, "thread " + std::to_string(i)),
                            i % 3 == 0 ? EventKind::RuntimeCall : EventKind::HostWork);
    const auto engine = [&](TrackKind kind, const char* name, EventKind work, int streams) {
        const TrackId parent = builder.addTrack(device, kind, name, 0);
        for (int i = 0; i < streams; ++i)
            tracks.emplace_back(builder.addTrack(parent, TrackKind::Stream, "stream " + std::to_string(7 + i), 0),
                                work);
    };
    engine(TrackKind::EngineH2D, "H2D", EventKind::CopyH2D, 4);
    engine(TrackKind::EngineD2H, "D2H", EventKind::CopyD2H, 4);
    engine(TrackKind::EngineCompute, "compute", EventKind::Kernel, 8);

    const int perTrack = events / static_cast<int>(tracks.size());
    for (const auto& [track, kind] : tracks) {
        std::int64_t timeNs = upTo(100'000);
        for (int i = 0; i < perTrack; ++i) {
            Event event;
            event.track = track;
            event.startNs = timeNs;
            event.durationNs = 200 + upTo(random() % 50 == 0 ? 400'000 : 9'000);
            event.name = names[random() % names.size()];
            event.kind = kind == EventKind::HostWork && random() % 4 == 0 ? EventKind::Annotation : kind;
            if (isCopy(kind))
                event.copy = CopyInfo{1 << 20, random() % 2 == 0 ? MemoryKind::Pageable : MemoryKind::Pinned,
                                      MemoryKind::Device, AsyncFlag::Async};
            builder.addEvent(event);
            timeNs += event.durationNs + upTo(12'000);
        }
    }
    return std::make_shared<const Trace>(builder.build());
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
        timeline.render(&image);
        times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    if (argc > 3)
        image.save(QString::fromLocal8Bit(argv[3]));
    std::sort(times.begin(), times.end());
    std::printf("events %zu  bytes/event %.1f  frames %d  p50 %.2f ms  p99 %.2f ms  slowest %.2f ms\n",
                trace->eventCount(), perEvent, frames, times[times.size() / 2], times[times.size() * 99 / 100],
                times.back());
    return 0;
}
