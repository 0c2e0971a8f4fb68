#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/timeline/lane_geometry.h"
#include "app/timeline/timeline_metrics.h"
#include "app/timeline/track_layout.h"
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
    EXPECT_THAT(names(*sample.trace, layout),
                testing::ElementsAre("train.py", "worker 0", "worker 1", "main", "GPU 0", "H2D", "D2H", "compute"));
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
    EXPECT_THAT(names(*sample.trace, layout), testing::ElementsAre("train.py", "GPU 0", "H2D", "D2H", "compute"));
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

TEST(LaneGeometry, SeparatesWideNeighboursAndKeepsNarrowOnes)
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

TEST(LaneGeometry, StagingLastsAsLongAsTheCallOfAPageableCopy)
{
    const SampleTrace pageable = sampleTrace(2, true);
    const EventIndex copy(pageable.trace->track(pageable.h2d).events.first);
    EXPECT_EQ(stagedPart(*pageable.trace, copy), (Interval{1'500'000, 3'500'000}));
    EXPECT_EQ(returnedDuring(*pageable.trace, copy), 3'500'000);

    const SampleTrace pinned = sampleTrace(2, false);
    const EventIndex other(pinned.trace->track(pinned.h2d).events.first);
    EXPECT_TRUE(stagedPart(*pinned.trace, other).empty());
    EXPECT_FALSE(returnedDuring(*pinned.trace, other).has_value()) << "the call had returned before";
}

}  // namespace overlane
