// The right button on gauges, ruler and overview, by mouse and by key, and which gauges are shown.
#include "app/shell/gauge_menu.h"

#include <QApplication>
#include <QClipboard>

#include "app/timeline/counter_samples.h"
#include "app/timeline/gauge_order.h"
#include "app/timeline/overview_strip.h"
#include "app/timeline/time_ruler.h"
#include "app/timeline/timeline_metrics.h"
#include "app/timeline/timeline_view.h"
#include "core/base/exact_time.h"
#include "tests/widget/pending_events.h"
#include "tests/widget/window_gestures.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

class GaugeMenuTest : public WindowTest
{
protected:
    void SetUp() override
    {
        WindowTest::SetUp();
        m_window.resize(1280, 1000);
        handleEvents();
        m_gauges = m_window.findChild<GaugePanel*>();
        ASSERT_NE(m_gauges, nullptr);
        ASSERT_GE(m_gauges->plotCount(), 2);
    }
    QMenu* rightClick(QWidget* on, QPoint pos, const char* menu)
    {
        QContextMenuEvent click(QContextMenuEvent::Mouse, pos, on->mapToGlobal(pos));
        QApplication::sendEvent(on, &click);
        return m_window.findChild<QMenu*>(menu);
    }
    QMenu* byKey(QWidget* on, const char* menu)
    {
        on->setFocus();
        QContextMenuEvent key(QContextMenuEvent::Keyboard, on->rect().center(), on->mapToGlobal(on->rect().center()));
        QApplication::sendEvent(on, &key);
        return m_window.findChild<QMenu*>(menu);
    }
    static QAction* entryOf(const QMenu& menu, const QString& begin)
    {
        for (QAction* action : actionsOf(menu))
            if (action->text().remove('&').startsWith(begin))
                return action;
        return nullptr;
    }
    void choose(QMenu* menu, const QString& begin)
    {
        ASSERT_NE(menu, nullptr);
        QAction* entry = entryOf(*menu, begin);
        ASSERT_NE(entry, nullptr) << begin.toStdString();
        EXPECT_TRUE(entry->isEnabled()) << begin.toStdString();
        entry->trigger();
        delete menu;
        handleEvents();
    }
    // In the middle of the time axis.
    QPoint onGauge(int number)
    {
        for (int y = 0; y < m_gauges->height(); ++y) {
            QRect place;
            if (m_gauges->trackAt(y, &place) == trackOf(number) && place.isValid())
                return {kLabelWidthPx + plotWidthPx(m_gauges->width()) / 2, place.center().y()};
        }
        ADD_FAILURE() << number;
        return {};
    }
    QMenu* menuOf(int number) { return rightClick(m_gauges, onGauge(number), "gaugeMenu"); }
    TrackId trackOf(int number) { return m_gauges->spot(number)->track; }
    const CounterPyramid& counterOf(TrackId track)
    {
        for (const CounterPyramid& counter : m_gauges->pyramids()->counters)
            if (counter.series().track == track)
                return counter;
        return m_gauges->pyramids()->counters.front();
    }

    GaugePanel* m_gauges = nullptr;
};

TEST_F(GaugeMenuTest, CopiesTheExactValueAndGoesToTheExtremes)
{
    const CounterPyramid& counter = counterOf(trackOf(0));
    const QPoint at = onGauge(0);
    const std::int64_t ns = *timeAtPx(*document()->view(), at.x(), m_gauges->width());
    choose(menuOf(0), "Copy its value here");
    EXPECT_EQ(QApplication::clipboard()->text().toStdString(),
              exactValue(counter.series().unit, *valueAt(counter.series(), ns)));
    choose(menuOf(0), "Zoom to its highest");
    const Interval highest = *extremeAt(counter, true, document()->trace()->span().endNs);
    EXPECT_TRUE(document()->view()->target().contains(highest.startNs));
    EXPECT_EQ(valueAt(counter.series(), highest.startNs), counter.highestValue());
    EXPECT_LE(document()->view()->target().lengthNs(), std::max<std::int64_t>(3 * highest.lengthNs(), 300));
    choose(menuOf(0), "Zoom to its lowest");
    EXPECT_TRUE(
        document()->view()->target().contains(extremeAt(counter, false, document()->trace()->span().endNs)->startNs));
}

TEST_F(GaugeMenuTest, HidesMovesAndBringsBackAndKeepsItWithTheTrace)
{
    const TrackId first = trackOf(0);
    const TrackId second = trackOf(1);
    choose(menuOf(0), "Move down");
    EXPECT_EQ(trackOf(0), second);
    EXPECT_EQ(trackOf(1), first);
    QMenu* menu = menuOf(0);
    EXPECT_FALSE(entryOf(*menu, "Move up")->isEnabled());
    delete menu;
    choose(menuOf(0), "Hide it");
    EXPECT_EQ(trackOf(0), first);
    const QString kept = m_window.timeline()->folding();
    EXPECT_TRUE(kept.contains("hidden")) << kept.toStdString();

    // A run of the laboratory keeps what its traces have.
    document()->simulate();
    settle();
    handleEvents();
    EXPECT_EQ(trackOf(0), first);
    EXPECT_EQ(m_window.timeline()->folding(), kept);

    auto* gauges = m_window.findChild<QMenu*>("gaugesMenu");
    ASSERT_NE(gauges, nullptr);
    emit gauges->aboutToShow();
    const auto unchecked = [&] {
        const QList<QAction*> all = actionsOf(*gauges);
        return std::count_if(all.begin(), all.end(),
                             [](const QAction* each) { return each->isCheckable() && !each->isChecked(); });
    };
    EXPECT_EQ(unchecked(), 1);
    entryOf(*gauges, "As they were")->trigger();
    EXPECT_EQ(trackOf(0), first);
    EXPECT_EQ(trackOf(1), second);
    emit gauges->aboutToShow();
    EXPECT_EQ(unchecked(), 0);
}

TEST_F(GaugeMenuTest, WithEveryGaugeHiddenTheViewMenuBringsThemBack)
{
    while (m_gauges->plotCount() > 0)
        choose(menuOf(0), "Hide it");
    EXPECT_FALSE(m_gauges->isVisible());
    auto* gauges = m_window.findChild<QMenu*>("gaugesMenu");
    emit gauges->aboutToShow();
    entryOf(*gauges, "As they were")->trigger();
    EXPECT_TRUE(m_gauges->isVisible());
}

TEST_F(GaugeMenuTest, ScalesFromTheLowestValue)
{
    int moving = -1;
    for (int i = 0; i < m_gauges->plotCount(); ++i)
        if (counterOf(trackOf(i)).lowestValue() < counterOf(trackOf(i)).highestValue())
            moving = moving < 0 ? i : moving;
    ASSERT_GE(moving, 0);
    choose(menuOf(moving), "Scale from its lowest");
    QMenu* menu = menuOf(moving);
    EXPECT_TRUE(entryOf(*menu, "Scale from its lowest")->isChecked());
    delete menu;
    choose(menuOf(moving), "Scale from zero");
    EXPECT_FALSE(m_window.timeline()->folding().contains("fromLowest"));
}

TEST_F(GaugeMenuTest, KeysGoFromGaugeToGaugeAndFromChangeToChange)
{
    m_gauges->setFocus();
    ASSERT_TRUE(m_gauges->hasFocus());
    QTest::keyClick(m_gauges, Qt::Key_Down);
    EXPECT_EQ(m_gauges->current(), 1);
    const CounterSeries& series = counterOf(trackOf(1)).series();
    QTest::keyClick(m_gauges, Qt::Key_Right);
    const auto ns = document()->view()->cursor()->ns();
    ASSERT_TRUE(ns.has_value());
    EXPECT_NE(std::find(series.timesNs.begin(), series.timesNs.end(), *ns), series.timesNs.end());
    QMenu* menu = byKey(m_gauges, "gaugeMenu");
    ASSERT_NE(menu, nullptr);
    EXPECT_NE(entryOf(*menu, "Copy its value here"), nullptr);
    delete menu;
    QTest::keyClick(m_gauges, Qt::Key_Up);
    QTest::keyClick(m_gauges, Qt::Key_Up);
    EXPECT_EQ(m_gauges->current(), 0);
}

TEST_F(GaugeMenuTest, TheRulerZoomsToAnIterationCopiesAndMeasures)
{
    TimelineView* timeline = m_window.timeline();
    ViewRange* view = document()->view();
    TimeRuler* ruler = timeline->ruler();
    const auto pxOf = [&](double part) { return kLabelWidthPx + int(part * plotWidthPx(ruler->width())); };
    const auto menuAt = [&](double part) { return rightClick(ruler, {pxOf(part), 8}, "timeMenu"); };
    const std::int64_t aNs = *timeAtPx(*view, pxOf(0.4), ruler->width());
    const std::int64_t bNs = *timeAtPx(*view, pxOf(0.6), ruler->width());
    choose(menuAt(0.4), "Copy this time");
    EXPECT_EQ(QApplication::clipboard()->text().toStdString(), formatExactTime(aNs));
    const QImage before = ruler->grab().toImage();
    choose(menuAt(0.4), "Measure from here");
    EXPECT_EQ(view->cursor()->measuredFrom(), aNs);
    EXPECT_NE(ruler->grab().toImage(), before);
    choose(menuAt(0.6), "Copy the measured distance");
    EXPECT_EQ(QApplication::clipboard()->text().toStdString(), formatExactTime(bNs - aNs));
    choose(menuAt(0.6), "Select the measured range");
    EXPECT_EQ(document()->selection()->range(), (Interval{aNs, bNs}));
    EXPECT_FALSE(view->cursor()->measuredFrom().has_value());
    const auto step = timeline->stepAt(aNs);
    ASSERT_TRUE(step.has_value());
    choose(menuAt(0.4), "Zoom to this iteration");
    EXPECT_LT(view->target().lengthNs(), 2 * step->lengthNs());
    EXPECT_TRUE(view->target().contains(step->startNs));
    choose(menuAt(0.5), "Show the whole trace");
    EXPECT_EQ(view->target(), view->limits());
}

TEST_F(GaugeMenuTest, EscapeStopsMeasuring)
{
    document()->view()->cursor()->measureFrom(1000);
    m_window.timeline()->setFocus();
    QTest::keyClick(m_window.timeline(), Qt::Key_Escape);
    EXPECT_FALSE(document()->view()->cursor()->measuredFrom().has_value());
}

TEST_F(GaugeMenuTest, TheOverviewZoomsInAndGoesOnByIterations)
{
    ViewRange* view = document()->view();
    OverviewStrip* overview = m_window.timeline()->overview();
    view->fitAll();
    const Interval all = view->target();
    const QPoint middle(kLabelWidthPx + plotWidthPx(overview->width()) / 2, 10);
    QTest::mousePress(overview, Qt::RightButton, {}, middle);
    choose(rightClick(overview, middle, "timeMenu"), "Zoom in here");
    EXPECT_NEAR(double(view->target().lengthNs()), double(all.lengthNs()) / 10, 2);
    choose(rightClick(overview, middle, "timeMenu"), "Next iteration");
    const auto first = document()->selection()->range();
    ASSERT_TRUE(first.has_value());
    choose(rightClick(overview, middle, "timeMenu"), "Next iteration");
    EXPECT_GT(document()->selection()->range()->startNs, first->startNs);
    choose(rightClick(overview, middle, "timeMenu"), "Previous iteration");
    EXPECT_EQ(document()->selection()->range(), first);
}

TEST_F(GaugeMenuTest, TheMenuKeyOpensTheMenuOfTheSelectedEventElseOfTheTime)
{
    QMenu* time = byKey(m_window.timeline(), "timeMenu");
    ASSERT_NE(time, nullptr);
    delete time;
    for (std::uint32_t at = 0; at < document()->trace()->eventCount(); ++at)
        if (isCopy(document()->trace()->kind(EventIndex(at)))) {
            m_window.reveal(EventIndex(at));
            break;
        }
    handleEvents();
    QMenu* lanes = byKey(m_window.timeline(), "laneMenu");
    ASSERT_NE(lanes, nullptr);
    EXPECT_NE(entryOf(*lanes, "Select the time it takes"), nullptr);
    delete lanes;
}

}  // namespace
}  // namespace overlane
