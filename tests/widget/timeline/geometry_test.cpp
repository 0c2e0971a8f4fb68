#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QFontMetrics>

#include "app/timeline/bar_text.h"
#include "app/timeline/lane_geometry.h"
#include "app/timeline/timeline_metrics.h"
#include "app/timeline/track_layout.h"
#include "core/trace/track_kinds.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/timeline/sample_trace.h"

namespace overlane
{

namespace
{

std::vector<std::string> names(const Trace& trace, const TrackLayout& layout)
{
    std::vector<std::string> result;
    for (const LaneRow& row : layout.rows)
        result.push_back(trace.track(row.track).name);
    return result;
}

}  // namespace

TEST(TrackLayout, OrdersLoaderHostDeviceAndStacksRows)
{
    const SampleTrace sample = sampleTrace();
    const TrackLayout layout = layoutTracks(*sample.trace, {});
    test::expectText(names(*sample.trace, layout));
    int y = 0;
    for (const LaneRow& row : layout.rows) {
        EXPECT_GE(row.topPx, y);
        EXPECT_GE(row.heightPx, 18);
        EXPECT_LE(row.heightPx, 22);
        y = row.bottomPx();
    }
    EXPECT_EQ(layout.heightPx, y);
    EXPECT_EQ(layout.rows[4].topPx - layout.rows[3].bottomPx(), kGroupGapPx);
}

TEST(TrackLayout, FindsRowsByHeightAndByEvent)
{
    const SampleTrace sample = sampleTrace();
    const TrackLayout layout = layoutTracks(*sample.trace, {});
    for (std::size_t i = 0; i < layout.rows.size(); ++i) {
        EXPECT_EQ(layout.rowAt(layout.rows[i].topPx), static_cast<int>(i));
        EXPECT_EQ(layout.rowAt(layout.rows[i].bottomPx() - 1), static_cast<int>(i));
    }
    EXPECT_EQ(layout.rowAt(-1), -1);
    EXPECT_EQ(layout.rowAt(layout.rows[3].bottomPx()), -1) << "the gap above a device";
    EXPECT_EQ(layout.rowAt(layout.heightPx), -1);
    const Track& h2d = sample.trace->track(sample.h2d);
    EXPECT_EQ(layout.rowOf(*sample.trace, EventIndex(h2d.events.first)), 5);
    EXPECT_EQ(layout.rowOf(*sample.trace, {}), -1);
}

TEST(TrackLayout, ACollapsedParentHoldsItsChildrensRows)
{
    const SampleTrace sample = sampleTrace();
    CollapseState state;
    state.set(*sample.trace, sample.process, true);
    const TrackLayout layout = layoutTracks(*sample.trace, state);
    test::expectText(names(*sample.trace, layout));
    EXPECT_TRUE(layout.rows[0].collapsed);
    EXPECT_EQ(layout.rows[0].rows.size(), 3u);
    EXPECT_EQ(layout.rowOf(*sample.trace, EventIndex(sample.trace->track(sample.worker).events.first)), 0);
    state.reveal(*sample.trace, sample.worker);
    EXPECT_FALSE(state.collapsed(*sample.trace, sample.process));
}

TEST(TrackLayout, CollapseStateSurvivesARerun)
{
    const SampleTrace first = sampleTrace(4);
    const SampleTrace second = sampleTrace(9, false);
    CollapseState state;
    state.set(*first.trace, first.device, true);
    EXPECT_TRUE(state.collapsed(*second.trace, second.device));
    EXPECT_FALSE(state.collapsed(*second.trace, second.process));
}

TEST(TrackLayout, EveryKindOfTrackIsALaneButGauges)
{
    TraceBuilder builder;
    for (const TrackKindRow& row : trackKinds()) {
        Event event;
        event.track = builder.addTrack({}, row.kind, row.id);
        event.durationNs = kNsPerMs;
        event.name = builder.intern("work");
        builder.addEvent(event);
    }
    const Trace trace = builder.build();
    const std::vector<std::string> drawn = names(trace, layoutTracks(trace, {}));
    std::vector<std::string> expected;
    for (const LaneGroup group :
         {LaneGroup::Loader, LaneGroup::Host, LaneGroup::Device, LaneGroup::Engine, LaneGroup::Stream})
        for (const TrackKindRow& row : trackKinds())
            if (row.group == group)
                expected.emplace_back(row.id);
    EXPECT_EQ(drawn, expected);
    for (const TrackKindRow& row : trackKinds())
        EXPECT_EQ(std::find(drawn.begin(), drawn.end(), row.id) != drawn.end(), row.isLane()) << row.id;
}

TEST(TrackLayout, NamesLanesTheSameForEveryFormat)
{
    TraceBuilder builder;
    const TrackId device = builder.addTrack({}, TrackKind::Device, "GPU 3: NVIDIA H200", 3);
    const TrackId h2d = builder.addTrack(device, TrackKind::EngineH2D, "Copy host to device", 3);
    const TrackId d2h = builder.addTrack(device, TrackKind::EngineD2H, "Memcpy DtoH", 3);
    const TrackId peer = builder.addTrack(device, TrackKind::EnginePeer, "", 3);
    const TrackId compute = builder.addTrack(device, TrackKind::EngineCompute, "Compute", 3);
    const TrackId plain = builder.addTrack(compute, TrackKind::Stream, "", 3, 7);
    const TrackId nsys = builder.addTrack(compute, TrackKind::Stream, "Stream 13 of process 5", 3, 13);
    const TrackId kineto = builder.addTrack(compute, TrackKind::Stream, "stream 20", 3, 20);
    const Trace trace = builder.build();
    EXPECT_EQ(laneTitle(trace, device), "GPU 3: NVIDIA H200");
    EXPECT_EQ(laneTitle(trace, h2d), "H2D");
    EXPECT_EQ(laneTitle(trace, d2h), "D2H");
    EXPECT_EQ(laneTitle(trace, peer), "D2D, P2P");
    EXPECT_EQ(laneTitle(trace, compute), "compute");
    EXPECT_EQ(laneTitle(trace, plain), "stream 7");
    EXPECT_EQ(laneTitle(trace, nsys), "stream 13 of process 5");
    EXPECT_EQ(laneTitle(trace, kineto), "stream 20");
}

TEST(TrackLayout, PutsTheMainThreadFirstAndBookkeepingLastAndClosed)
{
    TraceBuilder builder;
    const auto filled = [&](TrackId track) {
        for (const std::int64_t startNs : {0, 5}) {  // overlapping: two rows
            Event event;
            event.track = track;
            event.startNs = startNs;
            event.durationNs = 10;
            builder.addEvent(event);
        }
        return track;
    };
    const TrackId spans = builder.addTrack({}, TrackKind::Process, "Spans");
    const TrackId inner = filled(builder.addTrack(spans, TrackKind::Thread, "profiler"));
    builder.markBookkeeping(spans);
    const TrackId process = builder.addTrack({}, TrackKind::Process, "python", -1, 530);
    filled(builder.addTrack(process, TrackKind::Thread, "worker", -1, 572));
    filled(builder.addTrack(process, TrackKind::Thread, "main", -1, 530));
    const Trace trace = builder.build();

    EXPECT_THAT(names(trace, layoutTracks(trace, {})),
                testing::ElementsAre("python", "main", "main", "worker", "worker", "Spans"));
    EXPECT_TRUE(isBookkeeping(trace, inner));
    EXPECT_FALSE(isBookkeeping(trace, process));
    CollapseState state;
    state.setAll(trace, false);
    EXPECT_THAT(names(trace, layoutTracks(trace, state)),
                testing::ElementsAre("python", "main", "main", "worker", "worker", "Spans", "profiler", "profiler"));
}

TEST(FittedName, SaysWhatTheWidthAllows)
{
    const QFontMetrics metrics{QFont()};
    const auto fitted = [&](const QString& name, const QString& room) {
        return fittedName(metrics, name, metrics.horizontalAdvance(room));
    };
    const QString call = "cudaMemcpyAsync";
    EXPECT_EQ(fitted(call, call), call);
    EXPECT_EQ(fitted(call, "MemcpyAsync"), "MemcpyAsync");
    EXPECT_EQ(fitted(call, "Memcp"), "") << "cu\u2026nc says nothing";
    EXPECT_TRUE(fitted("cudaEventSynchronize", "EventSynchro").startsWith("EventSync"));
    const QString words = "wait for storage or swap";
    const QString begun = fitted(words, words.left(16));
    EXPECT_TRUE(words.startsWith(begun.chopped(1)) && begun.endsWith(QChar(0x2026))) << qPrintable(begun);
    EXPECT_EQ(fitted("ProfilerStep#12", "#12"), "#12");
    EXPECT_EQ(fitted("ProfilerStep#12", "#"), "");
    const QString kernel = "void at::native::vectorized_elementwise_kernel<4>(int)";
    EXPECT_EQ(fitted(kernel, kernel.left(40)), "vectorized_elementwise_kernel<4>") << "without what all kernels share";
    const QString cut = fitted(kernel, kernel.left(20));
    EXPECT_TRUE(cut.startsWith("vectorized") && cut.endsWith(QChar(0x2026))) << qPrintable(cut);
    EXPECT_EQ(fitted("<built-in method resize of ImagingCore object at 0x7ce2>", "resize "), "resize");
    const QString other = "cutlass_80_tensorop_s1688gemm_128x128";
    const QString middle = fitted(other, other.left(20));
    EXPECT_TRUE(middle.contains(QChar(0x2026)) && middle.startsWith("cutl") && middle.endsWith("128"))
        << qPrintable(middle);
}

TEST(LaneGeometry, BarsKnowTheMemoryOfAllTheirCopies)
{
    const std::vector<LaneSpan> spans = {
        {0.2f, 0.4f, EventIndex(0), 1, kFullLevel, EventKind::CopyH2D, 0, kLockedMemory},
        {0.45f, 0.48f, EventIndex(1), 1, kFullLevel, EventKind::CopyH2D, 0, kPageableMemory}};
    const auto bars = laneBars(spans);
    ASSERT_EQ(bars.size(), 1u);
    EXPECT_EQ(bars[0].memory, kLockedMemory | kPageableMemory);
    EXPECT_EQ(bars[0].count, 2u);
}

TEST(LaneGeometry, SeparatesWideNeighborsAndKeepsNarrowOnes)
{
    const std::vector<LaneSpan> spans = {{0, 20, EventIndex(0), 1, kFullLevel, EventKind::Kernel, 0},
                                         {20, 40, EventIndex(1), 1, kFullLevel, EventKind::Kernel, 0},
                                         {40, 41, EventIndex(2), 9, 2, EventKind::Sync, 0},
                                         {41, 42, EventIndex(3), 4, 1, EventKind::Kernel, 0}};
    const auto bars = laneBars(spans);
    ASSERT_EQ(bars.size(), 4u);
    EXPECT_EQ(bars[0].rightPx, 19);
    EXPECT_EQ(bars[1].leftPx, 20);
    EXPECT_EQ(bars[1].rightPx, 39);
    EXPECT_EQ(bars[2].leftPx, 40);
    EXPECT_EQ(bars[2].rightPx, 41);
    EXPECT_EQ(bars[3].widthPx(), 1);
}

TEST(LaneGeometry, HitsTheBarOrTheNearestWithinReach)
{
    const std::vector<LaneSpan> spans = {{10, 20, EventIndex(7), 1, kFullLevel, EventKind::Kernel, 0},
                                         {30, 31, EventIndex(8), 1, kFullLevel, EventKind::Kernel, 0}};
    const auto bars = laneBars(spans);
    const auto hit = [&](int x) {
        const LaneBar* bar = barAt(bars, x, 3);
        return bar != nullptr ? bar->event : EventIndex();
    };
    EXPECT_EQ(hit(10), EventIndex(7));
    EXPECT_EQ(hit(19), EventIndex(7));
    EXPECT_EQ(hit(22), EventIndex(7));
    EXPECT_EQ(hit(7), EventIndex(7));
    EXPECT_EQ(hit(6), EventIndex());
    EXPECT_EQ(hit(24), EventIndex());
    EXPECT_EQ(hit(27), EventIndex(8));
    EXPECT_EQ(hit(33), EventIndex(8));
    EXPECT_EQ(hit(34), EventIndex());
    EXPECT_EQ(barAt({}, 5, 3), nullptr);
}

TEST(LaneGeometry, ACallThatReturnsDuringItsCopyMarksIt)
{
    const SampleTrace pageable = sampleTrace(2, true);
    const EventIndex copy(pageable.trace->track(pageable.h2d).events.first);
    EXPECT_EQ(returnedDuring(*pageable.trace, copy), 3'500'000);

    const SampleTrace pinned = sampleTrace(2, false);
    const EventIndex other(pinned.trace->track(pinned.h2d).events.first);
    EXPECT_FALSE(returnedDuring(*pinned.trace, other).has_value()) << "the call had returned before";
}

}  // namespace overlane
