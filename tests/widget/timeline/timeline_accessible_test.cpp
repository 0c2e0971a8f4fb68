#include "app/timeline/timeline_accessible.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>

#include "app/timeline/gauge_panel.h"
#include "app/timeline/lane_canvas.h"
#include "app/timeline/overview_strip.h"
#include "app/timeline/selection.h"
#include "app/timeline/spoken_lanes.h"
#include "app/timeline/time_ruler.h"
#include "app/timeline/timeline_view.h"
#include "app/timeline/view_range.h"
#include "core/base/exact_time.h"
#include "tests/widget/timeline/sample_trace.h"

namespace overlane
{
namespace
{

class TimelineAccessible : public testing::Test
{
protected:
    void SetUp() override
    {
        m_timeline.resize(1200, 700);
        m_timeline.setTrace(m_sample.trace);
        m_view.setMotionMs(0);
        m_timeline.show();
        m_timeline.activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&m_timeline));
        m_timeline.setFocus();
    }
    QAccessibleInterface* lanes() { return QAccessible::queryAccessibleInterface(m_timeline.lanes()); }
    QAccessibleInterface* lane(const QString& name)
    {
        for (int i = 0; i < lanes()->childCount(); ++i)
            if (lanes()->child(i)->text(QAccessible::Name) == name)
                return lanes()->child(i);
        return nullptr;
    }
    const SampleTrace m_sample = sampleTrace();
    ViewRange m_view;
    Selection m_selection;
    TimelineView m_timeline{&m_view, &m_selection};
};

TEST_F(TimelineAccessible, LanesAreAListWithTheirEventsInSight)
{
    ASSERT_NE(lanes(), nullptr);
    EXPECT_EQ(lanes()->role(), QAccessible::List);
    QAccessibleInterface* h2d = lane("H2D");
    ASSERT_NE(h2d, nullptr);
    EXPECT_EQ(h2d->parent(), lanes());
    EXPECT_EQ(lanes()->child(lanes()->indexOfChild(h2d)), h2d);
    EXPECT_EQ(h2d->childCount(), 10);
    EXPECT_TRUE(h2d->text(QAccessible::Description).contains(QString::fromStdString(formatCount(10))))
        << h2d->text(QAccessible::Description).toStdString();
    m_view.setRange({0, 10 * kNsPerMs});
    EXPECT_EQ(h2d->childCount(), 1);
    // The copy from 1.5 ms to 4.5 ms is in sight from its middle on, too.
    m_view.setRange({3 * kNsPerMs, 10 * kNsPerMs});
    ASSERT_EQ(h2d->childCount(), 1);
    QAccessibleInterface* copy = h2d->child(0);
    EXPECT_EQ(copy->text(QAccessible::Name), QString("Memcpy HtoD"));
    EXPECT_EQ(copy->parent(), h2d);
    EXPECT_EQ(h2d->indexOfChild(copy), 0);
    const QString description = copy->text(QAccessible::Description);
    EXPECT_TRUE(description.contains(QString::fromStdString(formatExactTime(1'500'000)))) << description.toStdString();
    EXPECT_TRUE(description.contains(QString::fromStdString(formatExactTime(3'000'000)))) << description.toStdString();
    EXPECT_EQ(h2d->child(1), nullptr);
    EXPECT_EQ(h2d->child(-1), nullptr);
}

TEST_F(TimelineAccessible, AnActionSelectsAnEvent)
{
    QAccessibleInterface* copy = lane("H2D")->child(2);
    ASSERT_NE(copy, nullptr);
    EXPECT_FALSE(copy->state().selected);
    copy->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    EXPECT_TRUE(m_selection.event().valid());
    EXPECT_EQ(m_sample.trace->trackOf(m_selection.event()), m_sample.h2d);
    EXPECT_TRUE(copy->state().selected);
    EXPECT_EQ(lanes()->focusChild(), copy);
    EXPECT_TRUE(lane("H2D")->text(QAccessible::Value).contains("Memcpy HtoD"));
}

TEST_F(TimelineAccessible, TheSelectionMovedByKeyIsSpoken)
{
    lane("H2D")->child(0)->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    // Qt hands its events to a reader only; what they point at is what is read.
    QTest::keyClick(&m_timeline, Qt::Key_Right);
    EXPECT_EQ(m_timeline.accessibleDescription(), spokenEvent(*m_sample.trace, m_selection.event()));
    EXPECT_TRUE(m_timeline.accessibleDescription().contains(QString::fromStdString(formatExactTime(11'500'000))));
    ASSERT_NE(lanes()->focusChild(), nullptr);
    EXPECT_EQ(lanes()->focusChild(), lane("H2D")->child(1));
    QTest::keyClick(&m_timeline, Qt::Key_Escape);
    EXPECT_EQ(lanes()->focusChild(), nullptr);
    EXPECT_TRUE(m_timeline.accessibleDescription().isEmpty());
}

// More than a reader walks through: the lanes and the timeline lead to the table of the same events.
TEST_F(TimelineAccessible, LanesAndTimelineOfferATableOfWhatIsInSight)
{
    QSignalSpy wanted(&m_timeline, &TimelineView::tableRequested);
    int times = 0;
    for (QWidget* widget : std::initializer_list<QWidget*>{&m_timeline, m_timeline.lanes()}) {
        auto* actions = QAccessible::queryAccessibleInterface(widget)->actionInterface();
        ASSERT_NE(actions, nullptr);
        ASSERT_TRUE(actions->actionNames().contains(spokenTableAction()));
        actions->doAction(spokenTableAction());
        EXPECT_EQ(wanted.count(), ++times);
    }
    QAccessible::queryAccessibleInterface(&m_timeline)
        ->actionInterface()
        ->doAction(QAccessibleActionInterface::setFocusAction());
    EXPECT_TRUE(m_timeline.hasFocus());
    EXPECT_EQ(wanted.count(), times);
}

TEST_F(TimelineAccessible, ALaneOfManyEventsHasABound)
{
    const SampleTrace many = sampleTrace(1000);
    m_timeline.setTrace(many.trace);
    m_view.fitAll();
    QAccessibleInterface* h2d = lane("H2D");
    ASSERT_NE(h2d, nullptr);
    EXPECT_EQ(h2d->childCount(), kMostSpokenEvents);
    EXPECT_NE(h2d->child(kMostSpokenEvents - 1), nullptr);
    EXPECT_EQ(h2d->child(kMostSpokenEvents), nullptr);
    EXPECT_TRUE(h2d->text(QAccessible::Description).contains(QString::fromStdString(formatCount(1000))));
}

TEST_F(TimelineAccessible, WhatWasKeptOfAnotherTraceIsGone)
{
    QAccessibleInterface* copy = lane("H2D")->child(0);
    const QAccessible::Id id = QAccessible::uniqueId(copy);
    m_timeline.setTrace(sampleTrace(3).trace);
    m_view.fitAll();
    EXPECT_EQ(lane("H2D")->childCount(), 3);
    EXPECT_NE(lane("H2D")->child(0), nullptr);
    m_timeline.setTrace(nullptr);
    EXPECT_EQ(lanes()->childCount(), 0);
    EXPECT_EQ(QAccessible::accessibleInterface(id), nullptr);
}

TEST_F(TimelineAccessible, GaugesHaveTheValueAtTheCursor)
{
    GaugePanel gauges(&m_view);
    gauges.resize(1200, 120);
    gauges.setTrace(m_sample.trace);
    gauges.show();
    QAccessibleInterface* spoken = QAccessible::queryAccessibleInterface(&gauges);
    ASSERT_NE(spoken, nullptr);
    ASSERT_EQ(spoken->childCount(), 2);
    QAccessibleInterface* pinned = nullptr;
    for (int i = 0; i < 2; ++i)
        if (spoken->child(i)->text(QAccessible::Name) == "pinned")
            pinned = spoken->child(i);
    ASSERT_NE(pinned, nullptr);
    ASSERT_NE(pinned->valueInterface(), nullptr);
    EXPECT_FALSE(pinned->valueInterface()->currentValue().isValid());
    m_view.cursor()->pointAt(25 * kNsPerMs);
    EXPECT_EQ(pinned->valueInterface()->currentValue().toDouble(), 2.0 * (48 << 20));
    EXPECT_EQ(pinned->valueInterface()->maximumValue().toDouble(), 3.0 * (48 << 20));
    EXPECT_FALSE(pinned->text(QAccessible::Value).isEmpty());
    gauges.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&gauges));
    gauges.setFocus();
    EXPECT_EQ(spoken->focusChild(), spoken->child(0));
    QTest::keyClick(&gauges, Qt::Key_Down);
    EXPECT_EQ(spoken->focusChild(), spoken->child(1));
    EXPECT_TRUE(spoken->child(1)->state().focused);
}

TEST_F(TimelineAccessible, OverviewAndRulerSayWhatIsShown)
{
    m_view.setRange({10 * kNsPerMs, 20 * kNsPerMs});
    QAccessibleInterface* overview = QAccessible::queryAccessibleInterface(m_timeline.overview());
    ASSERT_NE(overview->valueInterface(), nullptr);
    EXPECT_FALSE(overview->text(QAccessible::Name).isEmpty());
    EXPECT_EQ(overview->valueInterface()->currentValue().toLongLong(), 10 * kNsPerMs);
    overview->valueInterface()->setCurrentValue(qlonglong{30 * kNsPerMs});
    EXPECT_EQ(m_view.range(), (Interval{30 * kNsPerMs, 40 * kNsPerMs}));
    QAccessibleInterface* ruler = QAccessible::queryAccessibleInterface(m_timeline.ruler());
    m_view.cursor()->measureFrom(31 * kNsPerMs);
    m_view.cursor()->pointAt(33 * kNsPerMs);
    const QString value = ruler->text(QAccessible::Value);
    EXPECT_TRUE(value.contains(QString::fromStdString(formatExactTime(30 * kNsPerMs)))) << value.toStdString();
    EXPECT_TRUE(value.contains(QString::fromStdString(formatExactTime(2 * kNsPerMs)))) << value.toStdString();
}

}  // namespace
}  // namespace overlane
