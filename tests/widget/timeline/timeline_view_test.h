// TimelineViewTest: a timeline of a sample trace, shown, with an axis of kPlotPx and 100 ms in sight.
#pragma once

#include <gtest/gtest.h>

#include <QApplication>
#include <QTest>
#include <QWheelEvent>

#include "app/timeline/lane_canvas.h"
#include "app/timeline/selection.h"
#include "app/timeline/timeline_metrics.h"
#include "app/timeline/timeline_view.h"
#include "app/timeline/view_range.h"
#include "tests/widget/timeline/sample_trace.h"

namespace overlane
{

inline constexpr int kPlotPx = 1000;

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
    QPoint centerOf(EventIndex event) const { return m_timeline.lanes()->rectOf(event).center(); }
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

}  // namespace overlane
