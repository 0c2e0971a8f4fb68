#include "app/timeline/gauge_panel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <qcustomplot.h>

#include "app/theme/palette.h"
#include "app/timeline/counter_curve.h"
#include "app/timeline/gauge_order.h"
#include "app/timeline/timeline_metrics.h"
#include "app/timeline/view_range.h"
#include "core/trace/trace_builder.h"
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

TEST(GaugePanel, TellsGaugesOfOneNameApart)
{
    TraceBuilder builder;
    std::vector<TrackId> gauges;
    for (const char* process : {"python3 (722)", "python3 (723)"}) {
        const TrackId parent = builder.addTrack({}, TrackKind::Process, process);
        gauges.push_back(builder.addCounter(parent, "Pinned memory", CounterUnit::Bytes));
        builder.addSample(gauges.back(), 0, 1);
    }
    gauges.push_back(builder.addCounter({}, "Available RAM", CounterUnit::Bytes));
    builder.addSample(gauges.back(), 0, 1);
    builder.addSample(gauges.back(), 1'000'000, 2);
    const auto trace = std::make_shared<const Trace>(builder.build());
    const auto pyramids = std::make_shared<const TracePyramids>(trace);
    EXPECT_THAT(gaugeTitle(*pyramids, gauges[0]), testing::EndsWith("python3 (722)"));
    EXPECT_THAT(gaugeTitle(*pyramids, gauges[1]), testing::EndsWith("python3 (723)"));
    EXPECT_EQ(gaugeTitle(*pyramids, gauges[2]), trace->track(gauges[2]).name);
}

TEST(GaugePanel, SomeBytesAreNotTheFirstGauge)
{
    TraceBuilder builder;
    const TrackId pinned = builder.addCounter({}, "Pinned memory", CounterUnit::Bytes);
    const TrackId process = builder.addCounter({}, "Process memory", CounterUnit::Bytes);
    builder.addSample(pinned, 0, 4);
    builder.addSample(pinned, 1'000'000, 8);
    builder.addSample(process, 0, 1 << 20);
    builder.addSample(process, 1'000'000, 2 << 20);
    const auto trace = std::make_shared<const Trace>(builder.build());
    const TracePyramids pyramids(trace);
    const std::vector<GaugeChoice> order = gaugeOrder(pyramids, {});
    ASSERT_EQ(order.size(), 2u);
    EXPECT_EQ(order[0].counter->series().track, process);
    EXPECT_EQ(order[1].counter->series().track, pinned);
}

// A kept run beside it may be longer: nothing was measured behind the end.
TEST(GaugePanel, EndsItsCurvesWithTheTrace)
{
    const SampleTrace sample = sampleTrace();
    const Interval span = sample.trace->span();
    ViewRange view;
    view.setLimits({span.startNs, span.endNs + 5 * span.lengthNs()});
    view.setMotionMs(0);
    view.fitAll();
    GaugePanel panel(&view);
    panel.resize(1000, 120);
    panel.setTrace(sample.trace);
    panel.show();
    panel.plot()->replot(QCustomPlot::rpImmediateRefresh);
    ASSERT_EQ(panel.plot()->plottableCount(), 2);
    for (int i = 0; i < 2; ++i) {
        const auto* curve = dynamic_cast<CounterCurve*>(panel.plot()->plottable(i));
        ASSERT_NE(curve, nullptr);
        ASSERT_FALSE(curve->samples().columns.empty());
        EXPECT_EQ(curve->samples().endPx, plotWidthPx(1000) / 6);
    }
    const QImage picture = panel.grab().toImage();
    const QCPAxisRect* rect = panel.plot()->axisRect(0);
    const QColor ground = Palette::current(panel.palette()).window;
    for (int x = rect->left() + rect->width() / 2; x < rect->right(); ++x)
        for (int y = rect->top() + 1; y < rect->bottom(); ++y)
            ASSERT_EQ(picture.pixelColor(x, y).name(), ground.name()) << x << " " << y;
    view.setRange({span.endNs + 1, span.endNs + span.lengthNs()});
    EXPECT_TRUE(dynamic_cast<CounterCurve*>(panel.plot()->plottable(0))->samples().columns.empty());
}

TEST(GaugePanel, LooksAtFewSamplesOfMany)
{
    constexpr int kSamples = 400'000;
    TraceBuilder builder;
    const TrackId process = builder.addTrack({}, TrackKind::Process, "p");
    for (int counter = 0; counter < 3; ++counter) {
        const TrackId track = builder.addCounter(process, "counter " + std::to_string(counter), CounterUnit::Count);
        for (int i = 0; i < kSamples; ++i)
            builder.addSample(track, std::int64_t{i} * 1000, (i + counter) % 977);
    }
    const auto trace = std::make_shared<const Trace>(builder.build(false));
    ViewRange view;
    view.setMotionMs(0);
    view.setLimits(trace->span());
    GaugePanel panel(&view);
    panel.resize(1000, 200);
    panel.setTrace(trace);
    panel.show();
    ASSERT_EQ(panel.plotCount(), 3);
    for (int notch = 0; notch < 40; ++notch) {
        EXPECT_LT(panel.lookedAt(), 3u * 100 * static_cast<unsigned>(plotWidthPx(1000))) << notch;
        EXPECT_GT(panel.lookedAt(), 0u);
        view.zoomBy(1.3, trace->span().lengthNs() / 3);
    }
}

// The usual five ask for room; more are shown where a person makes room.
TEST(GaugePanel, ShowsTenWhereThereIsRoomForThem)
{
    TraceBuilder builder;
    const TrackId process = builder.addTrack({}, TrackKind::Process, "p");
    for (int counter = 0; counter < 12; ++counter) {
        const TrackId track = builder.addCounter(process, "counter " + std::to_string(counter), CounterUnit::Count);
        for (int i = 0; i < 10; ++i)
            builder.addSample(track, std::int64_t{i} * 1000, i);
    }
    ViewRange view;
    GaugePanel panel(&view);
    panel.setTrace(std::make_shared<const Trace>(builder.build(false)));
    panel.show();
    const int wanted = panel.sizeHint().height();
    for (const auto& [height, plots] : {std::pair(wanted, 5), std::pair(wanted + 40, 5), std::pair(2 * wanted, 10),
                                        std::pair(5 * wanted, 10), std::pair(80, 2)}) {
        panel.resize(700, height);
        QCoreApplication::processEvents();
        EXPECT_EQ(panel.plotCount(), plots) << height;
    }
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
        EXPECT_LE(below + 7, panel.height()) << height << ": room for the number at the base line";
    }
}

}  // namespace overlane
