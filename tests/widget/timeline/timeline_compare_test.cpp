// Two runs one above the other.
#include <QLabel>
#include <QTextDocument>

#include "app/timeline/second_lanes.h"
#include "app/timeline/title_label.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/timeline/timeline_view_test.h"

namespace overlane
{

static SecondTrace kept(const SampleTrace& sample, const QString& title)
{
    SecondTrace second;
    second.trace = sample.trace;
    second.badge = "A";
    second.title = title;
    second.firstBadge = "B";
    second.firstRest = "2.0 x faster";
    return second;
}

TEST_F(TimelineViewTest, AComparedTraceWidensTheLimits)
{
    const SampleTrace longer = sampleTrace(20);
    m_timeline.above()->setSecond(kept(longer, "pageable"));
    EXPECT_EQ(m_view.limits(), longer.trace->span());
    m_timeline.above()->setSecond({});
    EXPECT_EQ(m_view.limits(), m_sample.trace->span());
}

TEST_F(TimelineViewTest, TheWheelOverEitherRunZoomsBoth)
{
    const SampleTrace longer = sampleTrace(20);
    m_timeline.above()->setSecond(kept(longer, "simulated"));
    LaneCanvas* above = m_timeline.above()->lanes();
    const QPoint at(kLabelWidthPx + kPlotPx / 2, above->height() / 2);
    const std::int64_t anchor = above->timeAt(at.x());
    const std::int64_t before = m_view.range().lengthNs();
    QWheelEvent zoom(at, above->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase,
                     false);
    QApplication::sendEvent(above, &zoom);
    EXPECT_LT(m_view.range().lengthNs(), before);
    EXPECT_EQ(above->timeAt(at.x()), anchor);
    EXPECT_EQ(m_timeline.lanes()->timeAt(at.x()), anchor);
}

TEST_F(TimelineViewTest, ScrollingOneShowsTheSameTrackInTheOther)
{
    const SampleTrace longer = sampleTrace(20);
    m_timeline.above()->setSecond(kept(longer, "pageable"));
    m_timeline.resize(m_timeline.width(), 380);
    LaneCanvas* above = m_timeline.above()->lanes();
    m_timeline.expandAll();
    above->changeCollapse([](CollapseState& state, const Trace& trace) { state.setAll(trace, false); });
    QApplication::processEvents();
    LaneCanvas* shown = m_timeline.lanes();
    ASSERT_GT(shown->trackLayout().heightPx, shown->height());
    ASSERT_GT(above->trackLayout().heightPx, above->height());
    const auto wheel = [](LaneCanvas* on, int delta) {
        const QPoint at(kLabelWidthPx + kPlotPx / 2, on->height() / 2);
        QWheelEvent turn(at, on->mapToGlobal(at), {}, {0, delta}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                         false);
        QApplication::sendEvent(on, &turn);
    };
    for (int notch = 0; notch < 20; ++notch)
        wheel(shown, 120);
    EXPECT_EQ(shown->topPlace()->track, above->topPlace()->track);
    EXPECT_EQ(above->topPlace()->pastPx, shown->topPlace()->pastPx);
    const std::string top = shown->topPlace()->track;
    wheel(above, -60);
    EXPECT_NE(above->topPlace()->track, top);
    EXPECT_EQ(shown->topPlace()->track, above->topPlace()->track);
}

TEST_F(TimelineViewTest, ATitleElidesTheNameInItsMiddleAndKeepsTheRest)
{
    TitleLabel label;
    const QString name = QStringLiteral("a_recording_of_a_training_run_with_a_long_name.overlane");
    const QString rest = QStringLiteral("15.4 ms a step");
    const auto shown = [&label] {
        QTextDocument document;
        document.setHtml(label.text());
        return document.toPlainText().simplified();
    };
    label.resize(1200, 24);
    label.setTitle(Qt::blue, QStringLiteral("B"), name, rest);
    EXPECT_TRUE(shown().contains(name)) << qPrintable(shown());
    label.resize(label.fontMetrics().horizontalAdvance(rest) * 3, 24);
    label.show();
    QApplication::processEvents();
    EXPECT_FALSE(shown().contains(name)) << qPrintable(shown());
    EXPECT_TRUE(shown().contains(QChar(0x2026))) << qPrintable(shown());
    EXPECT_TRUE(shown().endsWith(rest)) << qPrintable(shown());
    EXPECT_TRUE(label.toolTip().contains(name));
}

TEST_F(TimelineViewTest, TwoRunsAreNamedAndShareOneAxis)
{
    const SampleTrace longer = sampleTrace(20);
    m_timeline.above()->setSecond(kept(longer, "pageable <b>"));
    QStringList titles;
    for (const QLabel* label : m_timeline.findChildren<QLabel*>())
        if (label->isVisible()) {
            QTextDocument document;
            document.setHtml(label->text());
            titles << document.toPlainText().simplified();
        }
    ASSERT_EQ(titles.size(), 2) << qPrintable(titles.join('|'));
    test::expectText(titles[0]);
    test::expectText(titles[1]);

    m_view.setRange({20 * kNsPerMs, 60 * kNsPerMs});
    for (const int x : {kLabelWidthPx, 500, 900})
        EXPECT_EQ(m_timeline.above()->lanes()->timeAt(x), m_timeline.lanes()->timeAt(x));
    const EventIndex inA(longer.trace->track(longer.h2d).events.first + 3);
    const EventIndex inB = eventOf(m_sample.h2d, 3);
    EXPECT_EQ(m_timeline.above()->lanes()->rectOf(inA).left(), m_timeline.lanes()->rectOf(inB).left());
    m_timeline.above()->setSecond({});
    for (const QLabel* label : m_timeline.findChildren<QLabel*>())
        EXPECT_FALSE(label->isVisible());
}

TEST_F(TimelineViewTest, TheRunAboveTakesNoMoreThanItsLanesAndATitle)
{
    m_timeline.above()->setSecond(kept(sampleTrace(20), "pageable"));
    m_timeline.resize(m_timeline.width(), 1200);
    QApplication::processEvents();
    const LaneCanvas* lanes = m_timeline.above()->lanes();
    EXPECT_GE(lanes->height(), lanes->trackLayout().heightPx);
    EXPECT_LT(m_timeline.above()->height(), lanes->trackLayout().heightPx + 2 * kRowPx);
}

TEST_F(TimelineViewTest, TheRunAboveSelectsItsOwnEvents)
{
    const SampleTrace longer = sampleTrace(20);
    m_timeline.above()->setSecond(kept(longer, "pageable"));
    QApplication::processEvents();
    const EventIndex copy(longer.trace->track(longer.h2d).events.first + 3);
    const QRect at = m_timeline.above()->lanes()->rectOf(copy);
    ASSERT_FALSE(at.isEmpty());
    QTest::mouseClick(m_timeline.above()->lanes(), Qt::LeftButton, {}, at.center());
    EXPECT_EQ(m_timeline.above()->selection()->event(), copy);
    EXPECT_FALSE(m_selection.event().valid());
}

TEST_F(TimelineViewTest, ABookmarkIsOneLineThroughBothRuns)
{
    const SampleTrace longer = sampleTrace(20);
    SecondTrace above = kept(longer, "pageable");
    above.offsetNs = 7 * kNsPerMs;
    m_timeline.above()->setSecond(above);
    m_view.setRange({0, 60 * kNsPerMs});
    QApplication::processEvents();
    const std::vector<LaneCanvas*> canvases{m_timeline.above()->lanes(), m_timeline.lanes()};
    std::vector<QImage> before;
    before.reserve(canvases.size());
    for (LaneCanvas* lanes : canvases)
        before.push_back(lanes->grab().toImage());
    m_timeline.bookmarks()->add(20 * kNsPerMs, "here");
    for (std::size_t at = 0; at < canvases.size(); ++at) {
        const QImage after = canvases[at]->grab().toImage();
        int changed = 0;
        for (int x = 0; x < after.width(); ++x)
            for (int y = 0; y < after.height(); ++y)
                if (after.pixel(x, y) != before[at].pixel(x, y)) {
                    EXPECT_NEAR(static_cast<double>(m_timeline.lanes()->timeAt(x)), 20e6, 0.1e6);
                    ++changed;
                }
        EXPECT_GT(changed, 0) << at;
    }
}

}  // namespace overlane
