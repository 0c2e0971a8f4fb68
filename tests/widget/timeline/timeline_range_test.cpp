// What the timeline shows: zooming and panning by wheel and keys.
#include "tests/widget/timeline/timeline_view_test.h"

namespace overlane
{

TEST_F(TimelineViewTest, ShowsTheWholeTraceFirst)
{
    EXPECT_EQ(m_view.limits(), m_sample.trace->span());
    EXPECT_EQ(m_view.range(), m_sample.trace->span());
}

TEST_F(TimelineViewTest, CtrlWheelZoomsAtTheCursor)
{
    const Interval before = m_view.range();
    const std::int64_t anchor = m_timeline.lanes()->timeAt(kLabelWidthPx + kPlotPx / 4);
    wheel({kLabelWidthPx + kPlotPx / 4, 50}, {0, 120}, Qt::ControlModifier);
    EXPECT_EQ(m_view.range().lengthNs(), std::llround(static_cast<double>(before.lengthNs()) / 1.25));
    EXPECT_EQ(m_timeline.lanes()->timeAt(kLabelWidthPx + kPlotPx / 4), anchor);
    wheel({kLabelWidthPx + kPlotPx / 4, 50}, {0, -120}, Qt::ControlModifier);
    EXPECT_EQ(m_view.range(), before);
}

TEST_F(TimelineViewTest, ShiftWheelPansAndTheRangeStaysWithin)
{
    m_view.setRange({20 * kNsPerMs, 40 * kNsPerMs});
    wheel({400, 50}, {0, -120}, Qt::ShiftModifier);
    EXPECT_EQ(m_view.range(), (Interval{22 * kNsPerMs, 42 * kNsPerMs}));
    wheel({400, 50}, {0, 120 * 50}, Qt::ShiftModifier);
    EXPECT_EQ(m_view.range(), (Interval{0, 20 * kNsPerMs}));
}

TEST_F(TimelineViewTest, KeysMoveTheRange)
{
    m_view.setRange({20 * kNsPerMs, 40 * kNsPerMs});
    QTest::keyClick(&m_timeline, Qt::Key_D);
    EXPECT_EQ(m_view.range(), (Interval{24 * kNsPerMs, 44 * kNsPerMs}));
    QTest::keyClick(&m_timeline, Qt::Key_A);
    EXPECT_EQ(m_view.range(), (Interval{20 * kNsPerMs, 40 * kNsPerMs}));
    m_view.setRange({20 * kNsPerMs, 50 * kNsPerMs});
    QTest::keyClick(&m_timeline, Qt::Key_W);
    EXPECT_EQ(m_view.range().lengthNs(), 20 * kNsPerMs);
    QTest::keyClick(&m_timeline, Qt::Key_S);
    EXPECT_EQ(m_view.range().lengthNs(), 30 * kNsPerMs);
}

TEST_F(TimelineViewTest, BackspaceUndoesAZoom)
{
    const Interval whole = m_view.range();
    m_view.setRange({20 * kNsPerMs, 40 * kNsPerMs});
    QTest::keyClick(&m_timeline, Qt::Key_Backspace);
    EXPECT_EQ(m_view.range(), whole);
    QTest::keyClick(&m_timeline, Qt::Key_Backspace, Qt::ShiftModifier);
    EXPECT_EQ(m_view.range(), (Interval{20 * kNsPerMs, 40 * kNsPerMs}));
}

TEST_F(TimelineViewTest, KeysGoToBothEndsAndToTheWhole)
{
    m_view.setRange({20 * kNsPerMs, 40 * kNsPerMs});
    QTest::keyClick(&m_timeline, Qt::Key_Home);
    EXPECT_EQ(m_view.range(), (Interval{0, 20 * kNsPerMs}));
    QTest::keyClick(&m_timeline, Qt::Key_End);
    EXPECT_EQ(m_view.range(), (Interval{limits().endNs - 20 * kNsPerMs, limits().endNs}));
    QTest::keyClick(&m_timeline, Qt::Key_F, Qt::ShiftModifier);
    EXPECT_EQ(m_view.range(), limits());
    m_selection.setRange(Interval{30 * kNsPerMs, 35 * kNsPerMs});
    QTest::keyClick(&m_timeline, Qt::Key_F);
    EXPECT_EQ(m_view.range(), (Interval{30 * kNsPerMs, 35 * kNsPerMs}));
}

TEST_F(TimelineViewTest, MovesAtOnceWhereNobodyWatches)
{
    EXPECT_EQ(m_view.motionMs(), 0);
}

TEST_F(TimelineViewTest, WithoutATraceEverythingIsHarmless)
{
    m_timeline.setTrace(nullptr);
    QTest::mouseClick(m_timeline.lanes(), Qt::LeftButton, {}, {500, 50});
    QTest::mouseDClick(m_timeline.lanes(), Qt::LeftButton, {}, {500, 50});
    QTest::mouseMove(m_timeline.lanes(), {510, 60});
    QTest::keyClicks(&m_timeline, "wasdfm");
    QTest::keyClick(&m_timeline, Qt::Key_Down);
    m_timeline.ensureVisible(EventIndex(3));
    EXPECT_FALSE(m_selection.event().valid());
    m_timeline.grab();
}

}  // namespace overlane
