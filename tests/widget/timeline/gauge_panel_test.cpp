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

TEST(GaugePanel, AsksForRoomForAllItsPlotsHoweverLowItIs)
{
    const SampleTrace sample = sampleTrace();
    ViewRange view;
    GaugePanel panel(&view);
    panel.resize(700, 40);
    panel.setTrace(sample.trace);
    panel.show();
    EXPECT_EQ(panel.plotCount(), 1);
    const int wanted = panel.sizeHint().height();
    panel.resize(700, wanted);
    QCoreApplication::processEvents();
    EXPECT_EQ(panel.plotCount(), 2);
    EXPECT_EQ(panel.sizeHint().height(), wanted);
}

// QCustomPlot says on the terminal when it paints on nothing.
TEST(GaugePanel, NeverPaintsOnNothing)
{
    const SampleTrace sample = sampleTrace();
    testing::internal::CaptureStderr();
    {
        ViewRange view;
        QWidget window;
        GaugePanel panel(&view, &window);
        view.setLimits(sample.trace->span());
        panel.setTrace(sample.trace);
        QCoreApplication::processEvents();
        panel.resize(0, 0);
        window.show();
        QCoreApplication::processEvents();
        panel.setTrace(sample.trace);
        view.setRange({0, 10 * kNsPerMs});
        QCoreApplication::processEvents();
        panel.resize(300, 0);
        QCoreApplication::processEvents();
        panel.resize(300, 120);
        QCoreApplication::processEvents();
        panel.hide();
        panel.plot()->replot(QCustomPlot::rpImmediateRefresh);
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(GaugePanel, ShowsEveryPlotWholeAtEveryHeight)
{
    const SampleTrace sample = sampleTrace();
    ViewRange view;
    view.setLimits(sample.trace->span());
    GaugePanel panel(&view);
    panel.setTrace(sample.trace);
    panel.show();
    for (int height = panel.minimumHeight(); height < 200; ++height) {
        panel.resize(700, height);
        QCoreApplication::processEvents();
        panel.plot()->replot(QCustomPlot::rpImmediateRefresh);
        int below = 0;
        for (int i = 0; i < panel.plotCount(); ++i) {
            const QCPAxisRect* rect = panel.plot()->axisRect(i);
            EXPECT_GE(rect->top(), below) << height;
            below = rect->bottom() + 1;
        }
        EXPECT_LE(below + 6, panel.height()) << height << ": room for the number at the base line";
    }
}

}  // namespace overlane
