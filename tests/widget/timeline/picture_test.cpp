// Pictures of the sample trace in both themes, for people to look at; the test itself only asks that
// something was drawn where bars must be. Written where OVERLANE_PICTURES points, else nowhere.
#include <gtest/gtest.h>

#include <QImage>
#include <QVBoxLayout>

#include "app/theme/palette.h"
#include "app/timeline/gauge_panel.h"
#include "app/timeline/lane_canvas.h"
#include "app/timeline/second_lanes.h"
#include "app/timeline/selection.h"
#include "app/timeline/timeline_metrics.h"
#include "app/timeline/timeline_view.h"
#include "app/timeline/view_range.h"
#include "tests/widget/timeline/sample_trace.h"

namespace overlane
{

class PictureTest : public testing::TestWithParam<std::tuple<Theme, QSize>>
{
};

TEST_P(PictureTest, DrawsTheSampleTrace)
{
    const auto [theme, size] = GetParam();
    applyTheme(*qApp, theme);
    const SampleTrace sample = sampleTrace(10, true);
    const SampleTrace other = sampleTrace(10, false);
    ViewRange view;
    Selection selection;
    QWidget window;
    auto* timeline = new TimelineView(&view, &selection);
    auto* gauges = new GaugePanel(&view);
    auto* column = new QVBoxLayout(&window);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(timeline, 1);
    column->addWidget(gauges);
    window.resize(size);
    timeline->setTrace(sample.trace);
    SecondTrace kept;
    kept.trace = other.trace;
    kept.badge = "A";
    kept.title = "pinned";
    kept.firstBadge = "B";
    timeline->above()->setSecond(kept);
    gauges->setTrace(sample.trace);
    view.setRange({0, 40 * kNsPerMs});
    const EventIndex copy(sample.trace->track(sample.h2d).events.first + 1);
    selection.setEvent(copy);
    selection.setRange(Interval{20 * kNsPerMs, 30 * kNsPerMs});
    window.show();
    QCoreApplication::processEvents();
    const QImage image = window.grab().toImage();
    const Palette& colors = theme == Theme::Dark ? Palette::darkTheme() : Palette::lightTheme();
    const EventIndex kernel(sample.trace->track(sample.compute).events.first);
    const QRect bar = timeline->lanes()->rectOf(kernel);
    const QPoint corner = timeline->lanes()->mapTo(&window, bar.topLeft() + QPoint(2, 1));
    EXPECT_EQ(image.pixelColor(corner), colors.kind(EventKind::Kernel));
    const QRect pageable = timeline->lanes()->rectOf(copy);
    int ground = 0;
    for (int x = pageable.left() + 3; x < pageable.right() - 3; ++x)
        ground += image.pixelColor(timeline->lanes()->mapTo(&window, QPoint(x, pageable.top() + 3))) !=
                  colors.kind(EventKind::CopyH2D);
    EXPECT_GT(ground, 0) << "a pageable copy is hatched, not solid";
    if (const QString folder = qEnvironmentVariable("OVERLANE_PICTURES"); !folder.isEmpty()) {
        EXPECT_TRUE(
            image.save(QStringLiteral("%1/timeline_%2_%3.png")
                           .arg(folder, theme == Theme::Dark ? "dark" : "light", QString::number(size.width()))));
    }
    applyTheme(*qApp, Theme::Light);
}

INSTANTIATE_TEST_SUITE_P(Themes, PictureTest,
                         testing::Combine(testing::Values(Theme::Light, Theme::Dark),
                                          testing::Values(QSize(1920, 1080), QSize(1280, 800))));

}  // namespace overlane
