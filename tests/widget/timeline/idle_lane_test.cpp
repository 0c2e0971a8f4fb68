// Gaps of the compute lane: where they lie, why they are there, and that they can be pointed at.
#include "app/timeline/idle_lane.h"

#include "app/theme/cause_color.h"
#include "app/timeline/gap_tip.h"
#include "app/timeline/time_ruler.h"
#include "tests/widget/timeline/timeline_view_test.h"

namespace overlane
{
namespace
{

// Kernels of the sample: from 4.5 to 8.5 ms of every 10 ms.
constexpr std::int64_t kKernelStartNs = 4'500'000;
constexpr std::int64_t kKernelEndNs = 8'500'000;
constexpr std::int64_t kStepNs = 10'000'000;

class IdleLaneTest : public TimelineViewTest
{
protected:
    IdleLaneTest() { m_timeline.setAnalysis(m_analysis); }

    QPoint inComputeLane(std::int64_t ns) const { return {xOf(ns), centerOf(eventOf(m_sample.compute, 0)).y()}; }

    std::shared_ptr<const Analysis> m_analysis = std::make_shared<const Analysis>(*m_sample.trace);
};

TEST_F(IdleLaneTest, AGapReachesFromOneKernelToTheNext)
{
    const auto gap = idleGapAt(*m_analysis, 0, kStepNs);
    ASSERT_TRUE(gap.has_value());
    EXPECT_EQ(gap->interval, (Interval{kKernelEndNs, kStepNs + kKernelStartNs}));
    EXPECT_EQ(idleGapAt(*m_analysis, 0, kKernelEndNs), gap);
    EXPECT_EQ(idleGapAt(*m_analysis, 0, kStepNs + kKernelStartNs - 1), gap);
    EXPECT_FALSE(idleGapAt(*m_analysis, 0, kKernelStartNs).has_value());
    EXPECT_FALSE(idleGapAt(*m_analysis, 0, kKernelEndNs - 1).has_value());
    EXPECT_FALSE(idleGapAt(*m_analysis, 1, kStepNs).has_value());
    EXPECT_FALSE(idleGapAt(*m_analysis, 0, m_analysis->span().endNs).has_value());
}

TEST_F(IdleLaneTest, AKernelKnowsTheGapBeforeIt)
{
    const auto gap = idleGapBefore(*m_sample.trace, *m_analysis, eventOf(m_sample.compute, 1));
    ASSERT_TRUE(gap.has_value());
    EXPECT_EQ(gap->interval, (Interval{kKernelEndNs, kStepNs + kKernelStartNs}));
    EXPECT_FALSE(idleGapBefore(*m_sample.trace, *m_analysis, eventOf(m_sample.compute, 0)).has_value());
    EXPECT_FALSE(idleGapBefore(*m_sample.trace, *m_analysis, eventOf(m_sample.h2d, 1)).has_value());
}

TEST_F(IdleLaneTest, SpansFillTheGapsAndNothingElse)
{
    const LostTime* lost = m_analysis->lost(0);
    ASSERT_NE(lost, nullptr);
    const Interval step{kKernelEndNs, kKernelEndNs + kStepNs};
    int idlePx = 0;
    int last = 0;
    for (const IdleSpan& span : idleSpans(*lost, step, 1000)) {
        EXPECT_GE(span.leftPx, last);
        last = span.rightPx;
        idlePx += span.rightPx - span.leftPx;
        EXPECT_LE(span.rightPx, 600);  // the kernel fills the other 400
    }
    EXPECT_EQ(idlePx, 600);
    EXPECT_TRUE(idleSpans(*lost, step, 0).empty());
    EXPECT_TRUE(idleSpans(*lost, {kKernelStartNs, kKernelEndNs}, 50).empty());
}

TEST_F(IdleLaneTest, ASpanHasTheCauseOfMostOfItsTime)
{
    LostTime lost;
    lost[static_cast<std::size_t>(LostCause::Sync)].add({0, 60});
    lost[static_cast<std::size_t>(LostCause::Batches)].add({60, 100});
    lost[static_cast<std::size_t>(LostCause::Host)].add({100, 140});
    EXPECT_EQ(idleSpans(lost, {0, 200}, 2), (std::vector<IdleSpan>{{0, 1, LostCause::Sync}}));
    EXPECT_EQ(idleSpans(lost, {0, 140}, 7),
              (std::vector<IdleSpan>{{0, 3, LostCause::Sync}, {3, 5, LostCause::Batches}, {5, 7, LostCause::Host}}));
}

TEST_F(IdleLaneTest, AClickInAGapSelectsItAndOneOnAKernelTakesItsPlace)
{
    const QPoint idle = inComputeLane(kStepNs);
    QTest::mouseClick(m_timeline.lanes(), Qt::LeftButton, {}, idle);
    EXPECT_EQ(m_selection.gap(), idleGapAt(*m_analysis, 0, kStepNs));
    EXPECT_FALSE(m_selection.event().valid());
    QTest::mouseClick(m_timeline.lanes(), Qt::LeftButton, {}, centerOf(eventOf(m_sample.compute, 1)));
    EXPECT_EQ(m_selection.event(), eventOf(m_sample.compute, 1));
    EXPECT_FALSE(m_selection.gap().has_value());
    QTest::mouseClick(m_timeline.lanes(), Qt::LeftButton, {}, idle);
    // Shift extends from the gap.
    QTest::mouseClick(m_timeline.lanes(), Qt::LeftButton, Qt::ShiftModifier, centerOf(eventOf(m_sample.compute, 2)));
    ASSERT_TRUE(m_selection.range().has_value());
    EXPECT_EQ(*m_selection.range(), (Interval{kKernelEndNs, 2 * kStepNs + kKernelEndNs}));
}

TEST_F(IdleLaneTest, GapsAreColoredWhenPointedAtOrAskedFor)
{
    const QPoint at = inComputeLane(kStepNs);
    const auto bottom = [&] {
        const QImage picture = m_timeline.lanes()->grab().toImage();
        const double ratio = picture.devicePixelRatio();
        const QRect kernel = m_timeline.lanes()->rectOf(eventOf(m_sample.compute, 0));
        constexpr int kBesideCursorPx = 2;
        return picture.pixelColor(static_cast<int>((at.x() + kBesideCursorPx) * ratio),
                                  static_cast<int>((kernel.bottom() - 1) * ratio));
    };
    const QColor quiet = bottom();
    QTest::mouseMove(m_timeline.lanes(), at);
    const auto pieces = idlePieces(*m_analysis, 0, {kStepNs - 1, kStepNs + 1});
    ASSERT_FALSE(pieces.empty());
    EXPECT_EQ(bottom(), causeColor(Palette::current(m_timeline.palette()), pieces.front().cause));
    QTest::mouseMove(m_timeline.lanes(), centerOf(eventOf(m_sample.compute, 1)));
    EXPECT_EQ(bottom(), quiet);
    m_timeline.setIdleShown(true);
    EXPECT_NE(bottom(), quiet);
    m_timeline.setIdleShown(false);
    EXPECT_EQ(bottom(), quiet);
}

TEST_F(IdleLaneTest, TheTipNamesCauseAndTime)
{
    const auto gap = idleGapAt(*m_analysis, 0, kStepNs);
    ASSERT_TRUE(gap.has_value());
    const QString tip = gapTip(*m_sample.trace, *m_analysis, *gap, Palette::lightTheme());
    EXPECT_TRUE(tip.contains(QString::fromStdString(formatDuration(6'000'000)))) << tip.toStdString();
    for (const IdlePiece& piece : idlePieces(*m_analysis, 0, gap->interval)) {
        const std::string_view cause = lostCauseName(piece.cause);
        EXPECT_TRUE(tip.contains(QString::fromUtf8(cause.data(), static_cast<qsizetype>(cause.size()))));
    }
}

TEST_F(IdleLaneTest, StepsThatStandOutAreMarkedOnTheRuler)
{
    const auto top = [&](std::int64_t ns) {
        const QImage picture = m_timeline.ruler()->grab().toImage();
        return picture.pixelColor(static_cast<int>(xOf(ns) * picture.devicePixelRatio()), 1);
    };
    const QColor warning = Palette::current(m_timeline.palette()).warning;
    m_timeline.setStepMarks({{{2 * kStepNs, 3 * kStepNs}, RulerMark::Kind::Outlier, "step 2 stands out"}});
    EXPECT_EQ(top(2 * kStepNs + kStepNs / 2), warning);
    EXPECT_NE(top(4 * kStepNs + kStepNs / 2), warning);
    // Another trace has other steps.
    m_timeline.setTrace(sampleTrace(5).trace);
    EXPECT_TRUE(m_timeline.ruler()->stepMarks().empty());
}

TEST_F(IdleLaneTest, TheLongestBadgeThatFitsStandsBesideTheName)
{
    const auto labels = [&] {
        return m_timeline.lanes()->grab(QRect(0, 0, kLabelWidthPx - 1, m_timeline.lanes()->height())).toImage();
    };
    const QImage without = labels();
    const QColor mark(1, 200, 3);
    m_timeline.setBadges({{m_sample.h2d, {{QString(200, 'x'), "3 of 4"}, mark, "tip"}}});
    const QImage with = labels();
    const int y = static_cast<int>(centerOf(eventOf(m_sample.h2d, 0)).y() * with.devicePixelRatio());
    int marked = 0;
    for (int x = 0; x < with.width(); ++x)
        marked += with.pixelColor(x, y) == mark ? 1 : 0;
    EXPECT_GT(marked, 3);
    EXPECT_NE(with, without);
    m_timeline.setBadges({{m_sample.h2d, {{QString(200, 'x')}, mark, "tip"}}});
    EXPECT_EQ(labels(), without);
}

}  // namespace
}  // namespace overlane
