// Two timelines, one below the other, at an offset: one zoom, one selected range.
#include "app/timeline/second_lanes.h"

#include <QComboBox>
#include <QLabel>
#include <QSpinBox>
#include <QTextDocument>
#include <QToolButton>

#include "tests/widget/timeline/timeline_view_test.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kOffsetNs = 30 * kNsPerMs;

class SecondLanesTest : public TimelineViewTest
{
protected:
    SecondLanesTest()
    {
        m_timeline.resize(m_timeline.width(), 900);
        SecondTrace second;
        second.trace = m_below.trace;
        second.badge = "B";
        second.title = "pinned <b>";
        second.firstBadge = "A";
        second.meetAt = MeetAt::Step;
        second.step = 3;
        second.stepCount = 10;
        second.offsetNs = kOffsetNs;
        second.canSwap = true;
        m_timeline.setShownName("pageable");
        m_timeline.below()->setSecond(second);
        QApplication::processEvents();
    }
    SecondLanes* second() { return m_timeline.below(); }
    LaneCanvas* below() { return second()->lanes(); }
    void expectLocked()
    {
        for (const int x : {kLabelWidthPx, 500, 900})
            EXPECT_EQ(below()->timeAt(x), m_timeline.lanes()->timeAt(x) + second()->offsetNs()) << x;
    }
    template <typename Widget>
    Widget* part(const char* name)
    {
        return second()->findChild<Widget*>(QString::fromUtf8(name));
    }

    SampleTrace m_below = sampleTrace(20, false);
};

TEST_F(SecondLanesTest, TimesLieAtTheOffset)
{
    EXPECT_TRUE(second()->isVisible());
    expectLocked();
    m_view.setRange({20 * kNsPerMs, 60 * kNsPerMs});
    expectLocked();
    // Batch 4 of the first lies above batch 7 of the second.
    const EventIndex above = eventOf(m_sample.h2d, 4);
    const EventIndex under(m_below.trace->track(m_below.h2d).rows[0].first + 7);
    EXPECT_EQ(below()->rectOf(under).left(), m_timeline.lanes()->rectOf(above).left());
}

TEST_F(SecondLanesTest, BothTracesFitIntoTheLimits)
{
    const Interval span = m_below.trace->span();
    EXPECT_EQ(limits().startNs, std::min(m_sample.trace->span().startNs, span.startNs - kOffsetNs));
    EXPECT_EQ(limits().endNs, std::max(m_sample.trace->span().endNs, span.endNs - kOffsetNs));
    m_view.fitAll();
    expectLocked();
    second()->setSecond({});
    EXPECT_EQ(limits(), m_sample.trace->span());
    EXPECT_FALSE(second()->isVisible());
}

TEST_F(SecondLanesTest, TheWheelBelowZoomsBothAsOneStepBack)
{
    const Interval before = m_view.range();
    const QPoint at(kLabelWidthPx + kPlotPx / 2, below()->height() / 2);
    const std::int64_t anchorNs = below()->timeAt(at.x());
    for (int notch = 0; notch < 3; ++notch) {
        QWheelEvent zoom(at, below()->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::ControlModifier,
                         Qt::NoScrollPhase, false);
        QApplication::sendEvent(below(), &zoom);
    }
    EXPECT_LT(m_view.range().lengthNs(), before.lengthNs() * 6 / 10);
    EXPECT_EQ(below()->timeAt(at.x()), anchorNs);
    expectLocked();
    m_view.back();
    EXPECT_EQ(m_view.range(), before);
    expectLocked();
}

TEST_F(SecondLanesTest, ARangeDraggedInEitherIsMarkedInBoth)
{
    m_selection.setRange(Interval{10 * kNsPerMs, 20 * kNsPerMs});
    EXPECT_EQ(second()->selection()->range(), (Interval{10 * kNsPerMs + kOffsetNs, 20 * kNsPerMs + kOffsetNs}));
    second()->selection()->setRange(Interval{50 * kNsPerMs, 70 * kNsPerMs});
    EXPECT_EQ(m_selection.range(), (Interval{50 * kNsPerMs - kOffsetNs, 70 * kNsPerMs - kOffsetNs}));
    m_selection.setRange({});
    EXPECT_FALSE(second()->selection()->range());
}

TEST_F(SecondLanesTest, EachSelectsItsOwnEvents)
{
    const EventIndex under(m_below.trace->track(m_below.h2d).rows[0].first + 5);
    const QPoint at = below()->rectOf(under).center();
    ASSERT_FALSE(below()->rectOf(under).isEmpty());
    QTest::mouseClick(below(), Qt::LeftButton, {}, at);
    EXPECT_EQ(second()->selection()->event(), under);
    EXPECT_FALSE(m_selection.event().valid());
}

TEST_F(SecondLanesTest, NudgesMoveTheLowerTimelineOnly)
{
    m_view.setRange({20 * kNsPerMs, 60 * kNsPerMs});
    const Interval above = m_view.range();
    part<QToolButton>("secondRight")->click();
    EXPECT_EQ(m_view.range(), above);
    EXPECT_EQ(second()->offsetNs(), kOffsetNs - above.lengthNs() / 100);
    expectLocked();
    part<QToolButton>("secondLeft")->click();
    EXPECT_EQ(second()->offsetNs(), kOffsetNs);
}

TEST_F(SecondLanesTest, ItsHeadAsksForAnotherPlaceToMeet)
{
    std::vector<std::pair<MeetAt, int>> asked;
    QObject::connect(second(), &SecondLanes::meetRequested, second(),
                     [&asked](MeetAt at, int step) { asked.emplace_back(at, step); });
    auto* step = part<QSpinBox>("secondStep");
    ASSERT_TRUE(step->isVisible());
    EXPECT_EQ(step->value(), 3);
    EXPECT_EQ(step->maximum(), 9);
    step->setValue(5);
    auto* place = part<QComboBox>("secondMeetAt");
    place->setCurrentIndex(0);
    emit place->activated(0);
    EXPECT_EQ(asked, (std::vector<std::pair<MeetAt, int>>{{MeetAt::Step, 5}, {MeetAt::Start, 5}}));
}

TEST_F(SecondLanesTest, TitlesSayWhichIsWhich)
{
    QStringList titles;
    for (const QLabel* label : m_timeline.findChildren<QLabel*>())
        if (label->isVisible() && label->textFormat() == Qt::RichText) {
            QTextDocument document;
            document.setHtml(label->text());
            titles << document.toPlainText().simplified();
        }
    ASSERT_EQ(titles.size(), 2) << qPrintable(titles.join('|'));
    EXPECT_TRUE(titles.filter(QStringLiteral("A pageable")).size() == 1) << qPrintable(titles.join('|'));
    EXPECT_TRUE(titles.filter(QStringLiteral("B pinned <b>")).size() == 1) << qPrintable(titles.join('|'));
}

}  // namespace
}  // namespace overlane
