// Which tracks the timeline has in sight: folded, scrolled.
#include "tests/widget/timeline/timeline_view_test.h"

namespace overlane
{

TEST_F(TimelineViewTest, CCollapsesTheTrackOfTheSelectedEvent)
{
    m_selection.setEvent(eventOf(m_sample.worker, 0));
    QTest::keyClick(&m_timeline, Qt::Key_C);
    EXPECT_TRUE(m_timeline.isCollapsed(m_sample.process));
    QTest::keyClick(&m_timeline, Qt::Key_C);
    EXPECT_FALSE(m_timeline.isCollapsed(m_sample.process));
}

TEST_F(TimelineViewTest, AClickOnALabelCollapsesItsTrack)
{
    const TrackLayout& layout = m_timeline.lanes()->trackLayout();
    ASSERT_EQ(layout.rows.size(), 8u);
    QTest::mouseClick(m_timeline.lanes(), Qt::LeftButton, {}, {30, layout.rows[0].topPx + 5});
    EXPECT_TRUE(m_timeline.isCollapsed(m_sample.process));
    EXPECT_EQ(m_timeline.lanes()->trackLayout().rows.size(), 5u);

    // The next run of the same shape stays as it was; the range as well.
    m_view.setRange({20 * kNsPerMs, 40 * kNsPerMs});
    const SampleTrace next = sampleTrace(8, false);
    m_timeline.setTrace(next.trace);
    EXPECT_TRUE(m_timeline.isCollapsed(next.process));
    EXPECT_EQ(m_view.range(), (Interval{20 * kNsPerMs, 40 * kNsPerMs}));

    m_timeline.ensureVisible(EventIndex(next.trace->track(next.worker).events.first));
    EXPECT_FALSE(m_timeline.isCollapsed(next.process));
    EXPECT_TRUE(m_view.range().contains(0));
}

TEST_F(TimelineViewTest, ALowCanvasShowsTheDeviceUntilSomebodyScrolls)
{
    LaneCanvas* lanes = m_timeline.lanes();
    lanes->setFixedHeight(100);
    QCoreApplication::processEvents();
    ASSERT_EQ(lanes->height(), 100);
    const QRect kernel = lanes->rectOf(eventOf(m_sample.compute, 0));
    EXPECT_LE(kernel.bottom(), 100) << "the compute lane is in sight";
    EXPECT_GE(kernel.bottom(), 100 - kRowPx);
    EXPECT_LT(lanes->rectOf(eventOf(m_sample.worker, 0)).bottom(), 0);
    wheel({400, 50}, {0, 120 * 10}, Qt::NoModifier);
    EXPECT_GE(lanes->rectOf(eventOf(m_sample.worker, 0)).top(), 0);
    m_timeline.setTrace(sampleTrace(9, false).trace);
    EXPECT_GE(lanes->rectOf(EventIndex(m_timeline.trace()->track(m_sample.worker).events.first)).top(), 0)
        << "the next run stays where one scrolled to";
}

TEST_F(TimelineViewTest, ANameThatIsCutStandsWholeInItsTip)
{
    TraceBuilder builder;
    const TrackId process =
        builder.addTrack({}, TrackKind::Process, "/usr/bin/python3.12 train_with_a_long_name.py main", -1, 42);
    Event event;
    event.track = builder.addTrack(process, TrackKind::Thread, "main", -1, 42);
    event.kind = EventKind::HostWork;
    event.name = builder.intern("forward");
    event.durationNs = kNsPerMs;
    builder.addEvent(event);
    m_timeline.setTrace(std::make_shared<const Trace>(builder.build()));
    EXPECT_EQ(m_timeline.lanes()->labelTip(0), "/usr/bin/python3.12 train_with_a_long_name.py main");
    EXPECT_EQ(m_timeline.lanes()->labelTip(1), "");
    EXPECT_EQ(m_timeline.lanes()->labelTip(-1), "");
}

TEST_F(TimelineViewTest, FoldingIsTextThatFoldsTheLikeTracksAgain)
{
    EXPECT_EQ(m_timeline.folding(), "");
    m_timeline.setCollapsed(m_sample.process, true);
    const QString folding = m_timeline.folding();
    EXPECT_FALSE(folding.isEmpty());
    m_timeline.setFolding({});
    EXPECT_FALSE(m_timeline.isCollapsed(m_sample.process));
    m_timeline.setFolding(folding);
    EXPECT_TRUE(m_timeline.isCollapsed(m_sample.process));
    EXPECT_EQ(m_timeline.folding(), folding);
}

}  // namespace overlane
