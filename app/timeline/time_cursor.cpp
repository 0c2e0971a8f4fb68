#include "app/timeline/time_cursor.h"

#include <QPainter>

#include "app/timeline/timeline_metrics.h"
#include "app/timeline/view_range.h"
#include "core/lod/time_scale.h"

namespace overlane
{

std::optional<int> cursorPx(const ViewRange& view, int widgetWidthPx)
{
    const std::optional<std::int64_t> ns = view.cursor()->ns();
    const int plotPx = plotWidthPx(widgetWidthPx);
    if (!ns)
        return {};
    const double px = TimeScale(view.range(), plotPx).toPx(*ns);
    return px >= 0 && px < plotPx ? std::optional(kLabelWidthPx + static_cast<int>(px)) : std::nullopt;
}

std::optional<std::int64_t> timeAtPx(const ViewRange& view, int xPx, int widgetWidthPx)
{
    const int plotPx = plotWidthPx(widgetWidthPx);
    if (xPx < kLabelWidthPx || xPx >= kLabelWidthPx + plotPx)
        return {};
    return TimeScale(view.range(), plotPx).toNs(xPx - kLabelWidthPx);
}

void paintCursorLine(QPainter& painter, const ViewRange& view, const QSize& widgetPx, const QColor& color)
{
    if (const std::optional<int> x = cursorPx(view, widgetPx.width()))
        painter.fillRect(*x, 0, 1, widgetPx.height(), color);
}

}  // namespace overlane
