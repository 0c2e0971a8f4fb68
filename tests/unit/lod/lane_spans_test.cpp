#include "core/lod/lane_spans.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/lod/time_scale.h"
#include "tests/unit/lod/random_trace.h"

namespace overlane
{

namespace
{

Trace handMade(const std::vector<Interval>& intervals, EventKind kind = EventKind::Kernel)
{
    TraceBuilder builder;
    const TrackId track = builder.addTrack({}, TrackKind::Thread, "t");
    for (const Interval interval : intervals) {
        Event event;
        event.track = track;
        event.startNs = interval.startNs;
        event.durationNs = interval.lengthNs();
        event.kind = kind;
        builder.addEvent(event);
    }
    return builder.build(false);
}

EventRange onlyRow(const Trace& trace)
{
    EXPECT_EQ(trace.tracks()[0].rows.size(), 1u);
    return trace.tracks()[0].rows[0];
}

}  // namespace

TEST(LaneSpans, AreNoneForDegenerateQuestionsAndOutsideTheTrace)
{
    const Trace trace = handMade({{0, 10}, {20, 30}});
    const Pyramid pyramid(trace);
    const EventRange row = onlyRow(trace);
    EXPECT_TRUE(laneSpans(pyramid, row, {0, 100}, 0).empty());
    EXPECT_TRUE(laneSpans(pyramid, row, {50, 50}, 10).empty());
    EXPECT_TRUE(laneSpans(pyramid, row, {1000, 2000}, 10).empty());
    EXPECT_TRUE(laneSpans(pyramid, row, {-1000, 0}, 10).empty());
    EXPECT_TRUE(mergedLaneSpans(pyramid, {}, {0, 100}, 10).empty());
}

TEST(VisibleEvents, AreThoseThatOverlapAndPointsInside)
{
    const Trace trace = handMade({{0, 10}, {10, 10}, {20, 30}, {30, 40}});
    const EventRange row = onlyRow(trace);
    EXPECT_EQ(visibleEvents(trace, row, {0, 100}), (EventRange{0, 4}));
    EXPECT_EQ(visibleEvents(trace, row, {10, 20}), (EventRange{1, 2}));
    EXPECT_EQ(visibleEvents(trace, row, {9, 21}), (EventRange{0, 3}));
    EXPECT_EQ(visibleEvents(trace, row, {30, 31}), (EventRange{3, 4}));
    EXPECT_TRUE(visibleEvents(trace, row, {40, 50}).empty());
    EXPECT_TRUE(visibleEvents(trace, row, {15, 15}).empty());
}

TEST(LaneSpans, AreExactBarsWhereEventsAreWide)
{
    const Trace trace = handMade({{-50, 100}, {250, 500}, {900, 2000}});
    const Pyramid pyramid(trace);
    const auto spans = laneSpans(pyramid, onlyRow(trace), {0, 1000}, 100);
    ASSERT_EQ(spans.size(), 3u);
    EXPECT_EQ(spans[0], (LaneSpan{0, 10, EventIndex(0), 1, kFullLevel, EventKind::Kernel, 0}));
    EXPECT_EQ(spans[1], (LaneSpan{25, 50, EventIndex(1), 1, kFullLevel, EventKind::Kernel, 0}));
    EXPECT_EQ(spans[2], (LaneSpan{90, 100, EventIndex(2), 1, kFullLevel, EventKind::Kernel, 0}));
}

TEST(LaneSpans, MergeCrowdsOfOneKindAndKeepTheLongest)
{
    std::vector<Interval> intervals;
    intervals.reserve(1000);
    for (std::int64_t i = 0; i < 1000; ++i)
        intervals.push_back({i * 10, i * 10 + (i == 600 ? 9 : 5)});
    const Trace trace = handMade(intervals);
    const Pyramid pyramid(trace);
    const auto spans = laneSpans(pyramid, onlyRow(trace), {0, 10'000}, 100);
    ASSERT_FALSE(spans.empty());
    EXPECT_LE(spans.size(), 3u) << "one column differs, its neighbours merge";
    std::uint32_t count = 0;
    bool longestShown = false;
    for (const LaneSpan& span : spans) {
        count += span.count;
        longestShown |= span.event == EventIndex(600);
        EXPECT_LT(span.level, kFullLevel) << "half covered";
    }
    EXPECT_EQ(count, 1000u);
    EXPECT_TRUE(longestShown);
}

TEST(LaneSpans, AreOrderedDisjointAndLoseNoEvent)
{
    const Trace trace = randomTrace(5, {2, 2000, 3000, 900});
    const Pyramid pyramid(trace);
    std::mt19937 random(2);
    for (int i = 0; i < 300; ++i) {
        const auto start = static_cast<std::int64_t>(random() % 1'000'000u);
        const Interval range{start,
                             start + 1 + static_cast<std::int64_t>(random() % (i % 2 == 0 ? 5'000u : 3'000'000u))};
        const int width = 1 + static_cast<int>(random() % 700);
        for (const Track& track : trace.tracks())
            for (const EventRange row : track.rows) {
                const auto spans = laneSpans(pyramid, row, range, width);
                std::uint32_t count = 0;
                float endPx = 0;
                for (const LaneSpan& span : spans) {
                    ASSERT_GE(span.startPx, endPx);
                    ASSERT_GT(span.endPx, span.startPx);
                    ASSERT_LE(span.endPx, static_cast<float>(width));
                    ASSERT_GE(span.level, 1);
                    endPx = span.endPx;
                    count += span.count;
                }
                ASSERT_EQ(count, visibleEvents(trace, row, range).size());
            }
    }
}

// In a crowd, the border between two columns lies up to an eighth of a column late.
TEST(LaneSpans, GiveACrowdToTheColumnBeforeByAnEighthAtMost)
{
    std::vector<Interval> intervals;
    intervals.reserve(20'000);
    for (std::int64_t i = 0; i < 20'000; ++i)
        intervals.push_back({i * 10, i * 10 + (i % 2000 < 1000 ? 1 : 9)});
    const Trace trace = handMade(intervals);
    const Pyramid pyramid(trace);
    const Interval range{0, 200'000};
    int early = 0;
    for (int width = 5; width < 90; ++width) {
        const TimeScale scale(range, width);
        std::uint32_t shown = 0;
        for (const LaneSpan& span : laneSpans(pyramid, onlyRow(trace), range, width)) {
            shown += span.count;
            const std::int64_t borderNs = scale.columnStartNs(static_cast<int>(span.endPx), width);
            const std::int64_t lastNs = trace.interval(EventIndex(shown - 1)).startNs;
            ASSERT_LT(lastNs, borderNs + range.lengthNs() / width / 8) << width;
            ASSERT_GE(lastNs + 10, borderNs) << width;
            early += lastNs >= borderNs ? 1 : 0;
        }
        ASSERT_EQ(shown, 20'000u);
    }
    EXPECT_GT(early, 0) << "the test has to see what it is about";
}

TEST(MergedLaneSpans, ShowTheDeepestRowThatCovers)
{
    TraceBuilder builder;
    const TrackId track = builder.addTrack({}, TrackKind::Thread, "main");
    const auto add = [&](Interval interval, EventKind kind) {
        Event event;
        event.track = track;
        event.startNs = interval.startNs;
        event.durationNs = interval.lengthNs();
        event.kind = kind;
        builder.addEvent(event);
    };
    add({0, 1000}, EventKind::HostWork);
    add({300, 600}, EventKind::RuntimeCall);
    const Trace trace = builder.build(false);
    const auto& rows = trace.tracks()[0].rows;
    ASSERT_EQ(rows.size(), 2u);
    const auto spans = mergedLaneSpans(Pyramid(trace), rows, {0, 1000}, 100);
    ASSERT_EQ(spans.size(), 3u);
    EXPECT_EQ(spans[0], (LaneSpan{0, 30, EventIndex(0), 1, kFullLevel, EventKind::HostWork, 0}));
    EXPECT_EQ(spans[1], (LaneSpan{30, 60, EventIndex(1), 1, kFullLevel, EventKind::RuntimeCall, 1}));
    EXPECT_EQ(spans[2], (LaneSpan{60, 100, EventIndex(0), 1, kFullLevel, EventKind::HostWork, 0}));
}

TEST(MergedLaneSpans, AWaitHidesNoWork)
{
    TraceBuilder builder;
    std::vector<EventRange> rows;
    const auto add = [&](const char* worker, Interval interval, EventKind kind) {
        Event event;
        event.track = builder.addTrack({}, TrackKind::LoaderActor, worker);
        event.startNs = interval.startNs;
        event.durationNs = interval.lengthNs();
        event.kind = kind;
        builder.addEvent(event);
    };
    add("worker 0", {0, 800}, EventKind::LoaderWait);
    add("worker 1", {300, 600}, EventKind::Loader);
    add("worker 2", {0, 1000}, EventKind::LoaderWait);
    const Trace trace = builder.build(false);
    for (const Track& track : trace.tracks())
        rows.push_back(track.rows[0]);
    const auto spans = mergedLaneSpans(Pyramid(trace), rows, {0, 1000}, 100);
    ASSERT_EQ(spans.size(), 3u);
    EXPECT_EQ(spans[0], (LaneSpan{0, 30, EventIndex(2), 1, kFullLevel, EventKind::LoaderWait, 2}));
    EXPECT_EQ(spans[1], (LaneSpan{30, 60, EventIndex(1), 1, kFullLevel, EventKind::Loader, 1}));
    EXPECT_EQ(spans[2], (LaneSpan{60, 100, EventIndex(2), 1, kFullLevel, EventKind::LoaderWait, 2}));
}

}  // namespace overlane
