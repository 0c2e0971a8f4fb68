#include "app/timeline/gauge_panel.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <qcustomplot.h>

#include "app/timeline/timeline_metrics.h"
#include "app/timeline/view_range.h"
#include "tests/widget/timeline/sample_trace.h"

namespace overlane
{

TEST(GaugePanel, PlotsTheCountersOnTheLanesTimeAxis)
{
    ViewRange view;
    GaugePanel panel(&view);
    EXPECT_EQ(panel.plotCount(), 0);
    panel.resize(1000, 120);
    const SampleTrace sample = sampleTrace();
    view.setLimits(sample.trace->span());
    panel.setTrace(sample.trace);
    panel.show();
    EXPECT_EQ(panel.plotCount(), 2);
    panel.plot()->replot(QCustomPlot::rpImmediateRefresh);
    const QCPAxisRect* rect = panel.plot()->axisRect(0);
    EXPECT_EQ(rect->left(), kLabelWidthPx);
    EXPECT_EQ(rect->width(), plotWidthPx(1000));
    view.setRange({10 * kNsPerMs, 30 * kNsPerMs});
    EXPECT_DOUBLE_EQ(rect->axis(QCPAxis::atBottom)->range().size(), 20e6);
    panel.setTrace(nullptr);
    EXPECT_EQ(panel.plotCount(), 0);
    EXPECT_FALSE(panel.isVisible());
}

}  // namespace overlane
