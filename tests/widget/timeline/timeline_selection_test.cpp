// Selecting events and ranges with mouse and keys.
#include <QToolTip>

#include "app/timeline/area_statistics.h"
#include "app/timeline/time_ruler.h"
#include "tests/widget/timeline/timeline_view_test.h"

namespace overlane
{

TEST_F(TimelineViewTest, AClickSelectsTheEventUnderIt)
{
    for (const TrackId track : {m_sample.h2d, m_sample.compute, m_sample.worker}) {
        const EventIndex event = eventOf(track, 2);
        QTest::mouseClick(m_timeline.lanes(), Qt::LeftButton, {}, centerOf(event));
        EXPECT_EQ(m_selection.event(), event);
    }
    const QRect copy = m_timeline.lanes()->rectOf(eventOf(m_sample.h2d, 2));
    QTest::mouseClick(m_timeline.lanes(), Qt::LeftButton, {}, QPoint(copy.right() + 20, copy.center().y()));
    EXPECT_FALSE(m_selection.event().valid()) << "idle time selects nothing";
}

TEST_F(TimelineViewTest, ADragSelectsTheRangeOfTime)
{
    m_view.setRange({0, 50 * kNsPerMs});
    LaneCanvas* lanes = m_timeline.lanes();
    QTest::mousePress(lanes, Qt::LeftButton, {}, {xOf(10 * kNsPerMs), 40});
    QTest::mouseMove(lanes, {xOf(20 * kNsPerMs), 60});
    QTest::mouseMove(lanes, {xOf(30 * kNsPerMs), 60});
    QTest::mouseRelease(lanes, Qt::LeftButton, {}, {xOf(30 * kNsPerMs), 60});
    ASSERT_TRUE(m_selection.range().has_value());
    EXPECT_EQ(*m_selection.range(), (Interval{10 * kNsPerMs, 30 * kNsPerMs}));
    EXPECT_FALSE(m_selection.event().valid());
    QTest::keyClick(&m_timeline, Qt::Key_F);
    EXPECT_EQ(m_view.range(), (Interval{10 * kNsPerMs, 30 * kNsPerMs}));
    QTest::keyClick(&m_timeline, Qt::Key_Escape);
    EXPECT_FALSE(m_selection.range().has_value());
}

TEST_F(TimelineViewTest, ADragOnTheRulerSelectsAndWithTheMiddleButtonPans)
{
    m_view.setRange({0, 50 * kNsPerMs});
    auto* ruler = m_timeline.findChild<TimeRuler*>();
    const auto drag = [&](Qt::MouseButton button, int fromPx, int toPx) {
        QTest::mousePress(ruler, button, {}, {fromPx, 8});
        for (const int x : {fromPx + 2, toPx}) {
            QMouseEvent move(QEvent::MouseMove, QPointF(x, 8), ruler->mapToGlobal(QPointF(x, 8)), Qt::NoButton, button,
                             Qt::NoModifier);
            QApplication::sendEvent(ruler, &move);
        }
        QTest::mouseRelease(ruler, button, {}, {toPx, 8});
    };
    drag(Qt::LeftButton, xOf(10 * kNsPerMs), xOf(30 * kNsPerMs));
    EXPECT_EQ(m_selection.range(), (Interval{10 * kNsPerMs, 30 * kNsPerMs}));
    EXPECT_EQ(m_view.range(), (Interval{0, 50 * kNsPerMs}));
    drag(Qt::MiddleButton, xOf(30 * kNsPerMs), xOf(10 * kNsPerMs));
    EXPECT_EQ(m_view.range(), (Interval{20 * kNsPerMs, 70 * kNsPerMs}));
    drag(Qt::LeftButton, xOf(30 * kNsPerMs), xOf(30 * kNsPerMs) + 2);
    EXPECT_EQ(m_selection.range(), (Interval{10 * kNsPerMs, 30 * kNsPerMs})) << "a click is no drag";
}

TEST_F(TimelineViewTest, AShiftClickExtendsFromTheSelectedEvent)
{
    const EventIndex first = eventOf(m_sample.compute, 1);
    const EventIndex last = eventOf(m_sample.compute, 4);
    QTest::mouseClick(m_timeline.lanes(), Qt::LeftButton, {}, centerOf(first));
    QTest::mouseClick(m_timeline.lanes(), Qt::LeftButton, Qt::ShiftModifier, centerOf(last));
    ASSERT_TRUE(m_selection.range().has_value());
    EXPECT_EQ(*m_selection.range(),
              (Interval{m_sample.trace->interval(first).startNs, m_sample.trace->interval(last).endNs}));
    EXPECT_EQ(m_selection.event(), first);
}

TEST_F(TimelineViewTest, ADoubleClickZoomsToTheEvent)
{
    const EventIndex event = eventOf(m_sample.h2d, 3);
    QTest::mouseDClick(m_timeline.lanes(), Qt::LeftButton, {}, centerOf(event));
    const Interval interval = m_sample.trace->interval(event);
    EXPECT_EQ(m_view.range(), (Interval{interval.startNs - interval.lengthNs(), interval.endNs + interval.lengthNs()}));
}

TEST_F(TimelineViewTest, ArrowsAndTabWalkTheEvents)
{
    m_selection.setEvent(eventOf(m_sample.h2d, 0));
    QTest::keyClick(&m_timeline, Qt::Key_Right);
    EXPECT_EQ(m_selection.event(), eventOf(m_sample.h2d, 1));
    QTest::keyClick(&m_timeline, Qt::Key_Tab);
    EXPECT_EQ(m_selection.event(), eventOf(m_sample.h2d, 2));
    QTest::keyClick(&m_timeline, Qt::Key_Left);
    EXPECT_EQ(m_selection.event(), eventOf(m_sample.h2d, 1));
    QTest::keyClick(&m_timeline, Qt::Key_Down);
    EXPECT_EQ(m_selection.event(), eventOf(m_sample.compute, 1)) << "the empty D2H lane is passed over";
    QTest::keyClick(&m_timeline, Qt::Key_Up);
    EXPECT_EQ(m_selection.event(), eventOf(m_sample.h2d, 1));
    m_selection.setEvent(eventOf(m_sample.h2d, 0));
    QTest::keyClick(&m_timeline, Qt::Key_Left);
    EXPECT_EQ(m_selection.event(), eventOf(m_sample.h2d, 0)) << "the first stays";
    QTest::keyClick(&m_timeline, Qt::Key_M, Qt::ShiftModifier);
    EXPECT_EQ(m_selection.range(), m_sample.trace->interval(eventOf(m_sample.h2d, 0)));
}

TEST_F(TimelineViewTest, ADraggedRangeIsSummedUpInATip)
{
    LaneCanvas* lanes = m_timeline.lanes();
    QTest::mousePress(lanes, Qt::LeftButton, {}, {xOf(10 * kNsPerMs), 40});
    QTest::mouseMove(lanes, {xOf(20 * kNsPerMs), 60});
    QTest::mouseMove(lanes, {xOf(30 * kNsPerMs), 60});
    const QString tip = QToolTip::text();
    QTest::mouseRelease(lanes, Qt::LeftButton, {}, {xOf(30 * kNsPerMs), 60});
    EXPECT_TRUE(tip.contains("H2D") && tip.contains("compute")) << qPrintable(tip);
    EXPECT_EQ(tip, areaTip(*lanes->pyramid(), *m_selection.range()));
}

}  // namespace overlane
