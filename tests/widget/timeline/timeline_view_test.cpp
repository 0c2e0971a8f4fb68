#include "app/timeline/timeline_view.h"

#include <gtest/gtest.h>
#include <set>

#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QTextDocument>
#include <QToolTip>
#include <QWheelEvent>

#include "app/timeline/area_statistics.h"
#include "app/timeline/bookmarks.h"
#include "app/timeline/held_keys.h"
#include "app/timeline/lane_canvas.h"
#include "app/timeline/selection.h"
#include "app/timeline/time_ruler.h"
#include "app/timeline/timeline_metrics.h"
#include "app/timeline/view_range.h"
#include "tests/widget/timeline/sample_trace.h"

namespace overlane
{

namespace
{

constexpr int kPlotPx = 1000;

class TimelineViewTest : public testing::Test
{
protected:
    TimelineViewTest()
    {
        m_timeline.resize(kLabelWidthPx + kPlotPx + kRightMarginPx, 600);
        m_timeline.setTrace(m_sample.trace);
        m_timeline.show();
        m_timeline.setFocus();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(&m_timeline));
        m_view.setRange({0, 100 * kNsPerMs});
    }

    // The ranges below assume the trace's span.
    Interval limits() const { return m_view.limits(); }
    int xOf(std::int64_t ns) const
    {
        return kLabelWidthPx + static_cast<int>(TimeScale(m_view.range(), kPlotPx).toPx(ns));
    }
    QPoint centreOf(EventIndex event) const { return m_timeline.lanes()->rectOf(event).center(); }
    EventIndex eventOf(TrackId track, std::uint32_t nth) const
    {
        return EventIndex(m_sample.trace->track(track).rows[0].first + nth);
    }
    void wheel(QPoint pos, QPoint delta, Qt::KeyboardModifiers modifiers)
    {
        LaneCanvas* lanes = m_timeline.lanes();
        QWheelEvent event(pos, lanes->mapToGlobal(pos), {}, delta, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(lanes, &event);
    }

    SampleTrace m_sample = sampleTrace(10);
    ViewRange m_view;
    Selection m_selection;
    TimelineView m_timeline{&m_view, &m_selection};
};

}  // namespace

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

TEST_F(TimelineViewTest, AClickSelectsTheEventUnderIt)
{
    for (const TrackId track : {m_sample.h2d, m_sample.compute, m_sample.worker}) {
        const EventIndex event = eventOf(track, 2);
        QTest::mouseClick(m_timeline.lanes(), Qt::LeftButton, {}, centreOf(event));
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
    QTest::mouseClick(m_timeline.lanes(), Qt::LeftButton, {}, centreOf(first));
    QTest::mouseClick(m_timeline.lanes(), Qt::LeftButton, Qt::ShiftModifier, centreOf(last));
    ASSERT_TRUE(m_selection.range().has_value());
    EXPECT_EQ(*m_selection.range(),
              (Interval{m_sample.trace->interval(first).startNs, m_sample.trace->interval(last).endNs}));
    EXPECT_EQ(m_selection.event(), first);
}

TEST_F(TimelineViewTest, ADoubleClickZoomsToTheEvent)
{
    const EventIndex event = eventOf(m_sample.h2d, 3);
    QTest::mouseDClick(m_timeline.lanes(), Qt::LeftButton, {}, centreOf(event));
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

TEST_F(TimelineViewTest, SlashAndQuestionMarkAskForSearchAndHelp)
{
    QSignalSpy search(&m_timeline, &TimelineView::searchRequested);
    QSignalSpy help(&m_timeline, &TimelineView::helpRequested);
    QTest::keyClicks(&m_timeline, "/");
    QTest::keyClicks(&m_timeline, "?");
    EXPECT_EQ(search.count(), 1);
    EXPECT_EQ(help.count(), 1);
}

TEST_F(TimelineViewTest, MovesAtOnceWhereNobodyWatches)
{
    EXPECT_EQ(m_view.motionMs(), 0);
}

TEST_F(TimelineViewTest, AHeldKeyMovesOnUntilFocusIsLost)
{
    m_view.setMotionMs(100);
    m_view.setRange({20 * kNsPerMs, 40 * kNsPerMs});
    QTest::keyPress(&m_timeline, Qt::Key_D);
    EXPECT_EQ(m_view.target(), (Interval{24 * kNsPerMs, 44 * kNsPerMs}));
    m_view.advance(100);
    m_timeline.heldKeys()->advance(11);
    EXPECT_NEAR(static_cast<double>(m_view.range().startNs), 24.4 * kNsPerMs, 1'000);
    QFocusEvent lost(QEvent::FocusOut);
    QApplication::sendEvent(&m_timeline, &lost);
    EXPECT_FALSE(m_timeline.heldKeys()->moving());

    QTest::keyPress(&m_timeline, Qt::Key_A);
    EXPECT_TRUE(m_timeline.heldKeys()->moving());
    QTest::keyRelease(&m_timeline, Qt::Key_A);
    EXPECT_FALSE(m_timeline.heldKeys()->moving());
    m_view.setMotionMs(0);
}

TEST_F(TimelineViewTest, EveryKeyOfTheTableMeansOneThing)
{
    std::set<int> keys;
    for (const TimelineShortcut& shortcut : timelineShortcuts()) {
        EXPECT_FALSE(shortcut.keysText().isEmpty());
        EXPECT_FALSE(shortcut.meaningText().isEmpty());
        EXPECT_FALSE(shortcut.groupText().isEmpty());
        EXPECT_EQ(shortcut.gesture == nullptr, shortcut.keys[0] != 0) << shortcut.meaning;
        EXPECT_EQ(shortcut.gesture == nullptr, shortcut.action != TimelineAction::None) << shortcut.meaning;
        for (const int key : shortcut.keys) {
            if (key == 0)
                continue;
            EXPECT_TRUE(keys.insert(key).second) << shortcut.meaning;
            const QKeyCombination pressed = QKeyCombination::fromCombined(key);
            const QKeyEvent event(QEvent::KeyPress, pressed.key(), pressed.keyboardModifiers());
            EXPECT_EQ(timelineAction(event), shortcut.action) << shortcut.meaning;
            EXPECT_TRUE(m_timeline.perform(shortcut.action)) << shortcut.meaning;
        }
    }
    const QKeyEvent other(QEvent::KeyPress, Qt::Key_W, Qt::ControlModifier);
    EXPECT_EQ(timelineAction(other), TimelineAction::None) << "Ctrl+W is the window's";
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

TEST_F(TimelineViewTest, MSetsBookmarksAndNGoesThroughThem)
{
    Bookmarks* bookmarks = m_timeline.bookmarks();
    for (const std::uint32_t nth : {1u, 3u, 6u}) {
        m_selection.setEvent(eventOf(m_sample.h2d, nth));
        QTest::keyClick(&m_timeline, Qt::Key_M);
    }
    ASSERT_EQ(bookmarks->all().size(), 3u);
    EXPECT_EQ(bookmarks->all()[1], (Bookmark{31'500 * kNsPerUs, QStringLiteral("Memcpy HtoD")}));
    m_selection.clear();

    m_view.setRange({0, 10 * kNsPerMs});
    QTest::keyClick(&m_timeline, Qt::Key_N);
    EXPECT_EQ(m_view.range(), (Interval{6'500 * kNsPerUs, 16'500 * kNsPerUs})) << "in the middle";
    QTest::keyClick(&m_timeline, Qt::Key_N);
    QTest::keyClick(&m_timeline, Qt::Key_N);
    EXPECT_EQ(m_view.range(), (Interval{56'500 * kNsPerUs, 66'500 * kNsPerUs}));
    QTest::keyClick(&m_timeline, Qt::Key_N);
    EXPECT_EQ(m_view.range(), (Interval{56'500 * kNsPerUs, 66'500 * kNsPerUs})) << "the last";
    QTest::keyClick(&m_timeline, Qt::Key_N, Qt::ShiftModifier);
    EXPECT_EQ(m_view.range(), (Interval{26'500 * kNsPerUs, 36'500 * kNsPerUs}));

    m_selection.setEvent(eventOf(m_sample.h2d, 3));
    QTest::keyClick(&m_timeline, Qt::Key_M);
    EXPECT_EQ(bookmarks->all().size(), 2u) << "the second press takes it away";
}

TEST_F(TimelineViewTest, ABookmarkIsNamedInTheRuler)
{
    m_timeline.bookmarks()->add(20 * kNsPerMs, "first");
    QTest::keyClick(&m_timeline, Qt::Key_F2);
    auto* field = m_timeline.findChild<QLineEdit*>();
    ASSERT_TRUE(field != nullptr && field->isVisible());
    QTest::keyClicks(field, "the slow copy");
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_FALSE(field->isVisible());
    EXPECT_EQ(m_timeline.bookmarks()->all()[0], (Bookmark{20 * kNsPerMs, QStringLiteral("the slow copy")}));

    auto* ruler = m_timeline.findChild<TimeRuler*>();
    QTest::mouseDClick(ruler, Qt::LeftButton, {}, {xOf(20 * kNsPerMs) + 3, kRulerPx + 4});
    ASSERT_TRUE(field->isVisible());
    QTest::keyClicks(field, "not this");
    QTest::keyClick(field, Qt::Key_Escape);
    EXPECT_EQ(m_timeline.bookmarks()->all()[0].name, "the slow copy");
}

TEST_F(TimelineViewTest, BookmarksStayWithRunsOfTheLaboratoryOnly)
{
    m_timeline.bookmarks()->add(20 * kNsPerMs, "kept");
    m_timeline.setTrace(m_timeline.trace());
    EXPECT_TRUE(m_timeline.bookmarks()->all().empty()) << "the sample is no run of the laboratory";
    TraceBuilder first;
    first.metadata().scenarioJson = "{}";
    TraceBuilder second;
    second.metadata().scenarioJson = "{}";
    m_timeline.setTrace(std::make_shared<const Trace>(first.build(false)));
    m_timeline.bookmarks()->add(5, "kept");
    m_timeline.setTrace(std::make_shared<const Trace>(second.build(false)));
    EXPECT_EQ(m_timeline.bookmarks()->all().size(), 1u);
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

TEST_F(TimelineViewTest, AComparedTraceWidensTheLimits)
{
    const SampleTrace longer = sampleTrace(20);
    m_timeline.setCompared(longer.trace, "pageable");
    EXPECT_EQ(m_view.limits(), longer.trace->span());
    m_timeline.setCompared(nullptr);
    EXPECT_EQ(m_view.limits(), m_sample.trace->span());
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

TEST_F(TimelineViewTest, TwoRunsAreNamedAndShareOneAxis)
{
    const SampleTrace longer = sampleTrace(20);
    m_timeline.setCompared(longer.trace, "pageable <b>");
    QStringList titles;
    for (const QLabel* label : m_timeline.findChildren<QLabel*>())
        if (label->isVisible()) {
            QTextDocument document;
            document.setHtml(label->text());
            titles << document.toPlainText().simplified();
        }
    ASSERT_EQ(titles.size(), 2) << qPrintable(titles.join('|'));
    EXPECT_TRUE(titles[0].startsWith("A pageable <b>")) << qPrintable(titles[0]);
    EXPECT_TRUE(titles[1].startsWith("B sample")) << qPrintable(titles[1]);
    EXPECT_TRUE(titles[1].contains("2.01 \u00d7 shorter than A")) << qPrintable(titles[1]);

    m_view.setRange({20 * kNsPerMs, 60 * kNsPerMs});
    for (const int x : {kLabelWidthPx, 500, 900})
        EXPECT_EQ(m_timeline.comparedLanes()->timeAt(x), m_timeline.lanes()->timeAt(x));
    const EventIndex inA(longer.trace->track(longer.h2d).events.first + 3);
    const EventIndex inB = eventOf(m_sample.h2d, 3);
    EXPECT_EQ(m_timeline.comparedLanes()->rectOf(inA).left(), m_timeline.lanes()->rectOf(inB).left());
    m_timeline.setCompared(nullptr);
    for (const QLabel* label : m_timeline.findChildren<QLabel*>())
        EXPECT_FALSE(label->isVisible());
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
