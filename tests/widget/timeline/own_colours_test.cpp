// Ranges that a program gave a color of their own.
#include <gtest/gtest.h>

#include <QApplication>
#include <QImage>
#include <QTest>

#include "app/theme/palette.h"
#include "app/timeline/lane_canvas.h"
#include "app/timeline/selection.h"
#include "app/timeline/timeline_view.h"
#include "app/timeline/view_range.h"
#include "core/base/units.h"
#include "core/trace/trace_builder.h"
#include "tests/widget/pending_events.h"

namespace overlane
{

class OwnColorsTest : public testing::Test
{
protected:
    // One range of each color, 10 ms long, one after the other.
    void show(std::initializer_list<std::uint32_t> colors)
    {
        TraceBuilder builder;
        const TrackId process = builder.addTrack({}, TrackKind::Process, "train.py", -1, 42);
        const TrackId thread = builder.addTrack(process, TrackKind::Thread, "main");
        std::int64_t atNs = 0;
        for (const std::uint32_t color : colors) {
            Event event;
            event.track = thread;
            event.kind = EventKind::Annotation;
            event.startNs = std::exchange(atNs, atNs + 10 * kNsPerMs);
            event.durationNs = 9 * kNsPerMs;
            event.color = color;
            event.name = builder.intern("batch");
            builder.addEvent(event);
        }
        m_timeline.resize(1200, 400);
        m_timeline.setTrace(std::make_shared<const Trace>(builder.build(false)));
        m_timeline.show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(&m_timeline));
        m_picture = m_timeline.grab().toImage();
    }
    // Near the lower left corner of the bar, where no text is.
    QColor inkOf(std::uint32_t event) const
    {
        const QRect bar = m_timeline.lanes()->rectOf(EventIndex(event));
        return m_picture.pixelColor(m_timeline.lanes()->mapTo(&m_timeline, bar.bottomLeft() + QPoint(2, -1)));
    }

    ViewRange m_view;
    Selection m_selection;
    TimelineView m_timeline{&m_view, &m_selection};
    QImage m_picture;
};

TEST_F(OwnColorsTest, AreShownAndOthersHaveThatOfTheirKind)
{
    show({0xFF336699, 0, 0x00CC3300});
    const Palette& palette = Palette::current(m_timeline.palette());
    EXPECT_EQ(inkOf(0), QColor(0x33, 0x66, 0x99));
    EXPECT_EQ(inkOf(1), palette.kind(EventKind::Annotation));
    EXPECT_EQ(inkOf(2), QColor(0xCC, 0x33, 0x00)) << "many programs leave the opacity at 0";
}

TEST_F(OwnColorsTest, ThatWouldVanishInTheLaneAreMadeToShow)
{
    for (const Theme theme : {Theme::Light, Theme::Dark}) {
        applyTheme(*qApp, theme);
        handleEvents();
        const Palette& palette = theme == Theme::Dark ? Palette::darkTheme() : Palette::lightTheme();
        const QRgb ground = palette.lanes.rgb();
        show({0xFF000000 | (ground & 0xFFFFFF), 0});
        EXPECT_GE(std::abs(qGray(inkOf(0).rgb()) - qGray(ground)), 45);
    }
    applyTheme(*qApp, Theme::Light);
}

TEST_F(OwnColorsTest, MergedBarsHaveThatOfTheirKind)
{
    show({0xFF336699, 0xFFCC3300});
    m_view.setLimits({0, 1'000'000 * kNsPerMs});
    m_view.setRange({0, 1'000'000 * kNsPerMs});
    m_picture = m_timeline.grab().toImage();
    const QRect bar = m_timeline.lanes()->rectOf(EventIndex(0));
    const QColor ink = m_picture.pixelColor(m_timeline.lanes()->mapTo(&m_timeline, bar.center()));
    EXPECT_NE(ink, QColor(0x33, 0x66, 0x99));
    EXPECT_NE(ink, QColor(0xCC, 0x33, 0x00));
}

}  // namespace overlane
