// Bundles: the many workers of a loader and the threads that do nothing as one row each.
#include <gmock/gmock.h>

#include "tests/widget/expect_text.h"
#include "tests/widget/timeline/timeline_view_test.h"

namespace overlane
{
namespace
{

constexpr Interval kActive{10 * kNsPerMs, 20 * kNsPerMs};

struct ManyTracks {
    std::shared_ptr<const Trace> trace;
    TrackId process;
    std::vector<TrackId> workers;
    TrackId main, busy;
    std::vector<TrackId> quiet;
};

ManyTracks manyTracks(int workers, int quiet, int ofSecondLoader = 0)
{
    ManyTracks made;
    TraceBuilder builder;
    const auto add = [&](TrackId track, std::int64_t startMs, std::int64_t endMs) {
        Event event;
        event.track = track;
        event.startNs = startMs * kNsPerMs;
        event.durationNs = (endMs - startMs) * kNsPerMs;
        event.kind = EventKind::HostWork;
        event.name = builder.intern("work");
        builder.addEvent(event);
    };
    made.process = builder.addTrack({}, TrackKind::Process, "train.py", -1, 42);
    for (int i = 0; i < workers; ++i) {
        made.workers.push_back(
            builder.addTrack(made.process, TrackKind::LoaderActor, "worker " + std::to_string(i), -1, 0, 10 + i));
        add(made.workers.back(), i, i + 8);
        add(made.workers.back(), i + 1, i + 2);  // a second row
    }
    for (int i = 0; i < ofSecondLoader; ++i)
        add(builder.addTrack(made.process, TrackKind::LoaderActor, "worker " + std::to_string(i) + " (loader 2)"), 12,
            14);
    add(builder.addTrack(made.process, TrackKind::LoaderActor, "pin thread", -1, 0, 109), 12, 14);
    made.main = builder.addTrack(made.process, TrackKind::Thread, "main", -1, 42);
    add(made.main, 0, 5);
    for (int i = 0; i < quiet; ++i) {
        made.quiet.push_back(
            builder.addTrack(made.process, TrackKind::Thread, "thread " + std::to_string(i), -1, 100 + i));
        add(made.quiet.back(), 2, 10);  // ends as the range begins
        add(made.quiet.back(), 20, 25);
    }
    made.busy = builder.addTrack(made.process, TrackKind::Thread, "busy", -1, 99);
    add(made.busy, 5, 30);
    const TrackId device = builder.addTrack({}, TrackKind::Device, "GPU 0", 0);
    add(builder.addTrack(device, TrackKind::EngineCompute, "compute", 0), 12, 18);
    made.trace = std::make_shared<const Trace>(builder.build(false));
    return made;
}

class BundlesTest : public TimelineViewTest
{
protected:
    void show(const ManyTracks& many, std::optional<Interval> active = kActive)
    {
        m_many = many;
        m_timeline.setTrace(many.trace);
        m_timeline.setBundling(active);
    }
    std::vector<std::string> titles()
    {
        std::vector<std::string> all;
        for (const LaneRow& row : m_timeline.lanes()->trackLayout().rows)
            if (row.rowInTrack == 0)
                all.push_back(rowTitle(*m_many.trace, row));
        return all;
    }
    void click(const std::string& title)
    {
        for (const LaneRow& row : m_timeline.lanes()->trackLayout().rows)
            if (rowTitle(*m_many.trace, row) == title)
                return QTest::mouseClick(m_timeline.lanes(), Qt::LeftButton, {}, {30, row.topPx + 5});
        FAIL() << "no " << title;
    }
    ManyTracks m_many;
};

TEST_F(BundlesTest, ManyWorkersAreOneRowThatAClickOpensAndCloses)
{
    show(manyTracks(6, 0));
    test::expectText(titles());
    EXPECT_EQ(m_timeline.lanes()->trackLayout().rows[1].rows.size(), 12u) << "of all of them";
    click("workers 0–5");
    test::expectText(titles());
    click("workers 0–5");
    test::expectText(titles());
}

TEST_F(BundlesTest, FewWorkersAndTracesWithoutBundlingKeepTheirLanes)
{
    show(manyTracks(4, 0));
    test::expectText(titles());
    show(manyTracks(6, 3), std::nullopt);
    test::expectText(titles());
}

TEST_F(BundlesTest, EachLoaderHasARowOfItsOwn)
{
    show(manyTracks(6, 0, 5));
    test::expectText(titles());
}

TEST_F(BundlesTest, ThreadsThatDoNothingInTheRangeAreOneRowBelowTheOthers)
{
    show(manyTracks(0, 3));
    test::expectText(titles());
    click("3 quiet threads");
    test::expectText(titles());
    EXPECT_NE(m_timeline.lanes()->labelTip(4), "");
    show(manyTracks(0, 1));
    test::expectText(titles());
    show(manyTracks(0, 3), Interval{});
    test::expectText(titles());
}

TEST_F(BundlesTest, WhatAPersonFoldedIsKept)
{
    show(manyTracks(6, 3));
    click("workers 0–5");
    const QString folding = m_timeline.folding();
    m_timeline.setFolding({});
    test::expectText(titles());
    m_timeline.setFolding(folding);
    test::expectText(titles());
    show(manyTracks(6, 3));
    test::expectText(titles());
    m_timeline.collapseAll();
    m_timeline.expandAll();
    test::expectText(titles());
}

TEST_F(BundlesTest, KeysOpenAndCloseThem)
{
    show(manyTracks(6, 3));
    const EventIndex event(m_many.trace->track(m_many.quiet[1]).events.first);
    m_selection.setEvent(event);
    m_timeline.setFocus();
    QTest::keyClick(&m_timeline, Qt::Key_C);
    test::expectText(titles());
    QTest::keyClick(&m_timeline, Qt::Key_C);
    test::expectText(titles());
    m_timeline.ensureVisible(event);
    test::expectText(titles());
}

}  // namespace
}  // namespace overlane
