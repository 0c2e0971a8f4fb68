// One time is pointed at, wherever the mouse is: lanes, ruler, gauges show it.
#include <gtest/gtest.h>

#include "app/timeline/gauge_panel.h"
#include "app/timeline/gauge_readout.h"
#include "app/timeline/time_ruler.h"
#include "core/base/units.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/timeline/timeline_view_test.h"

namespace overlane
{
namespace
{

class TimeCursorTest : public TimelineViewTest
{
protected:
    std::optional<std::int64_t> cursor() { return m_view.cursor()->ns(); }
};

TEST_F(TimeCursorTest, FollowsTheMouseOverLanesAndRulerAndGoesWithIt)
{
    LaneCanvas* lanes = m_timeline.lanes();
    const QPoint at(kLabelWidthPx + 100, 10);
    QTest::mouseMove(lanes, at);
    ASSERT_TRUE(cursor().has_value());
    EXPECT_EQ(*cursor(), lanes->timeAt(at.x()));
    QTest::mouseMove(lanes, {20, 10});
    EXPECT_FALSE(cursor().has_value()) << "names have no time";
    QTest::mouseMove(m_timeline.ruler(), {kLabelWidthPx + 50, 5});
    ASSERT_TRUE(cursor().has_value());
    EXPECT_EQ(*cursor(), lanes->timeAt(kLabelWidthPx + 50));
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(m_timeline.ruler(), &leave);
    EXPECT_FALSE(cursor().has_value());
}

TEST_F(TimeCursorTest, IsDrawnInLanesAndRuler)
{
    const QImage before = m_timeline.grab().toImage();
    m_view.cursor()->pointAt(m_timeline.lanes()->timeAt(kLabelWidthPx + 200));
    const QImage after = m_timeline.grab().toImage();
    const auto differs = [&](QWidget* widget, QPoint at) {
        const QPoint in = widget->mapTo(&m_timeline, at);
        return before.pixelColor(in) != after.pixelColor(in);
    };
    EXPECT_TRUE(differs(m_timeline.lanes(), {kLabelWidthPx + 200, m_timeline.lanes()->height() - 3}));
    EXPECT_TRUE(differs(m_timeline.ruler(), {kLabelWidthPx + 200, 4}));
}

TEST(GaugeReadoutTest, SaysTheValueThatHoldsAtTheTime)
{
    TraceBuilder builder;
    const TrackId process = builder.addTrack({}, TrackKind::Process, "python", -1, 1);
    const TrackId memory = builder.addCounter(process, "Pinned memory", CounterUnit::Bytes);
    builder.addSample(memory, 100, 0);
    builder.addSample(memory, 200, 48 * kMiB);
    builder.addSample(memory, 300, 16 * kMiB);
    ViewRange view;
    view.setLimits({0, 400});
    GaugePanel panel(&view);
    panel.resize(800, 100);
    panel.setTrace(std::make_shared<const Trace>(builder.build(false)));
    panel.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&panel));
    const auto valueAtNs = [&](std::int64_t ns) {
        view.cursor()->pointAt(ns);
        return panel.readout()->values().empty() ? QStringLiteral("none") : panel.readout()->values()[0].text;
    };
    EXPECT_EQ(valueAtNs(199).toStdString(), formatBytes(0));
    EXPECT_EQ(valueAtNs(200).toStdString(), formatBytes(48 * kMiB));
    EXPECT_EQ(valueAtNs(299).toStdString(), formatBytes(48 * kMiB));
    test::expectText(panel.accessibleDescription());
    EXPECT_EQ(valueAtNs(50), "none") << "the trace begins later";
    view.cursor()->pointAt({});
    EXPECT_TRUE(panel.readout()->values().empty());
    // The mouse over the gauges points, too, and its wheel zooms there.
    QTest::mouseMove(&panel, {kLabelWidthPx + 60, 20});
    ASSERT_TRUE(view.cursor()->ns().has_value());
}

}  // namespace
}  // namespace overlane
