// Two runs one above the other.
#include <QLabel>
#include <QTextDocument>

#include "app/timeline/title_label.h"
#include "tests/widget/timeline/timeline_view_test.h"

namespace overlane
{

TEST_F(TimelineViewTest, AComparedTraceWidensTheLimits)
{
    const SampleTrace longer = sampleTrace(20);
    m_timeline.setCompared(longer.trace, "pageable");
    EXPECT_EQ(m_view.limits(), longer.trace->span());
    m_timeline.setCompared(nullptr);
    EXPECT_EQ(m_view.limits(), m_sample.trace->span());
}

TEST_F(TimelineViewTest, TheBeginningOfARunIsNotComparedInLength)
{
    const SampleTrace longer = sampleTrace(20);
    m_timeline.setCompared(longer.trace, "simulated");
    m_timeline.setTrace(m_sample.trace, true);
    QString titles;
    for (const QLabel* label : m_timeline.findChildren<QLabel*>())
        titles += label->text();
    EXPECT_TRUE(titles.contains("the run's beginning") || titles.contains("the run&#39;s beginning"))
        << qPrintable(titles);
    EXPECT_FALSE(titles.contains("shorter")) << qPrintable(titles);
    m_timeline.setTrace(m_sample.trace);
    titles.clear();
    for (const QLabel* label : m_timeline.findChildren<QLabel*>())
        titles += label->text();
    EXPECT_TRUE(titles.contains("shorter")) << qPrintable(titles);
}

TEST_F(TimelineViewTest, TheWheelOverEitherRunZoomsBoth)
{
    const SampleTrace longer = sampleTrace(20);
    m_timeline.setCompared(longer.trace, "simulated");
    LaneCanvas* above = m_timeline.comparedLanes();
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
    m_timeline.setCompared(longer.trace, "pageable");
    m_timeline.resize(m_timeline.width(), 380);
    LaneCanvas* below = m_timeline.comparedLanes();
    m_timeline.expandAll();
    below->changeCollapse([](CollapseState& state, const Trace& trace) { state.setAll(trace, false); });
    QApplication::processEvents();
    LaneCanvas* above = m_timeline.lanes();
    ASSERT_GT(above->trackLayout().heightPx, above->height());
    ASSERT_GT(below->trackLayout().heightPx, below->height());
    const auto wheel = [](LaneCanvas* on, int delta) {
        const QPoint at(kLabelWidthPx + kPlotPx / 2, on->height() / 2);
        QWheelEvent turn(at, on->mapToGlobal(at), {}, {0, delta}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                         false);
        QApplication::sendEvent(on, &turn);
    };
    for (int notch = 0; notch < 20; ++notch)
        wheel(above, 120);
    EXPECT_EQ(above->topPlace()->track, below->topPlace()->track);
    EXPECT_EQ(below->topPlace()->pastPx, above->topPlace()->pastPx);
    const std::string top = above->topPlace()->track;
    for (int notch = 0; notch < 2; ++notch)
        wheel(below, -120);
    EXPECT_NE(below->topPlace()->track, top);
    EXPECT_EQ(above->topPlace()->track, below->topPlace()->track);
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

}  // namespace overlane
