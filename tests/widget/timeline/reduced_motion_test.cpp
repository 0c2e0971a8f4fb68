#include <gtest/gtest.h>

#include <QApplication>

#include "app/theme/window_style.h"
#include "app/timeline/selection.h"
#include "app/timeline/timeline_view.h"
#include "app/timeline/view_range.h"

namespace overlane
{
namespace
{

TEST(ReducedMotion, ZoomsJumpAndNoCursorBlinks)
{
    auto* style = qobject_cast<WindowStyle*>(qApp->style());
    ASSERT_NE(style, nullptr);
    ViewRange view;
    Selection selection;
    TimelineView timeline(&view, &selection);
    view.setLimits({0, 1'000'000});
    view.setMotionMs(120);  // as on a display
    const int flashMs = QApplication::cursorFlashTime();

    style->setMotionReduced(true);
    EXPECT_EQ(style->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, &timeline, nullptr), 0);
    EXPECT_EQ(QApplication::cursorFlashTime(), 0);
    view.glideTo({1'000, 2'000});
    EXPECT_EQ(view.range(), (Interval{1'000, 2'000}));

    style->setMotionReduced(false);
    EXPECT_EQ(QApplication::cursorFlashTime(), flashMs);
}

}  // namespace
}  // namespace overlane
