#include "app/timeline/time_ruler.h"

#include <algorithm>
#include <cmath>

#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include "app/theme/palette.h"
#include "app/timeline/selection.h"
#include "app/timeline/timeline_metrics.h"
#include "app/timeline/view_range.h"
#include "core/base/units.h"
#include "core/lod/ruler_ticks.h"
#include "core/lod/time_scale.h"

namespace overlane
{

TimeRuler::TimeRuler(ViewRange* view, Selection* selection, QWidget* parent)
    : QWidget(parent), m_view(view), m_selection(selection)
{
    setFixedHeight(kRulerPx);
    setCursor(Qt::SizeHorCursor);
    connect(view, &ViewRange::rangeChanged, this, [this] { update(); });
    connect(selection, &Selection::rangeChanged, this, [this] { update(); });
}

void TimeRuler::paintEvent(QPaintEvent*)
{
    constexpr double kSpacingPx = 110;
    const Palette& colors = Palette::current(palette());
    QPainter painter(this);
    painter.fillRect(rect(), colors.panel);
    const int plot = plotWidthPx(width());
    const TimeScale scale(m_view->range(), plot);
    const Ruler ruler = rulerTicks(m_view->range(), plot, kSpacingPx);

    painter.setPen(colors.mutedText);
    const QString left = ruler.baseLabel.empty() ? QString::fromStdString(formatDuration(m_view->range().lengthNs()))
                                                 : QString::fromStdString(ruler.baseLabel);
    painter.drawText(QRect(8, 0, kLabelWidthPx - 16, height()), Qt::AlignVCenter | Qt::AlignRight,
                     ruler.baseLabel.empty() ? tr("%1 shown").arg(left) : tr("from %1").arg(left));
    painter.setClipRect(kLabelWidthPx, 0, plot, height());
    if (const auto& selected = m_selection->range()) {
        const int from = static_cast<int>(std::clamp(scale.toPx(selected->startNs), -1.0, plot + 1.0));
        const int to = static_cast<int>(std::clamp(scale.toPx(selected->endNs), -1.0, plot + 1.0));
        QColor fill = colors.accent;
        fill.setAlpha(60);
        painter.fillRect(kLabelWidthPx + from, 0, to - from, height(), fill);
    }
    for (const RulerTick& tick : ruler.ticks) {
        const int x = kLabelWidthPx + static_cast<int>(scale.toPx(tick.timeNs));
        painter.fillRect(x, height() - (tick.major ? 9 : 4), 1, tick.major ? 9 : 4, colors.mutedText);
        if (tick.major) {
            painter.setPen(colors.text);
            painter.drawText(QRect(x + 4, 0, static_cast<int>(kSpacingPx) * 2, height() - 4),
                             Qt::AlignVCenter | Qt::AlignLeft, QString::fromStdString(tick.label));
        }
    }
    if (const auto& selected = m_selection->range()) {
        const int from = static_cast<int>(std::clamp(scale.toPx(selected->startNs), 0.0, double(plot)));
        const int to = static_cast<int>(std::clamp(scale.toPx(selected->endNs), 0.0, double(plot)));
        const QString length = QString::fromStdString(formatDuration(selected->lengthNs()));
        const int lengthWidth = painter.fontMetrics().horizontalAdvance(length) + 12;
        if (lengthWidth < to - from) {
            const QRect box(kLabelWidthPx + (from + to - lengthWidth) / 2, 3, lengthWidth, height() - 8);
            painter.fillRect(box, colors.accent);
            painter.setPen(colors.textOn(colors.accent));
            painter.drawText(box, Qt::AlignCenter, length);
        }
    }
    painter.setClipping(false);
    painter.fillRect(0, height() - 1, width(), 1, colors.border);
    painter.fillRect(kLabelWidthPx - 1, 0, 1, height(), colors.border);
}

void TimeRuler::wheelEvent(QWheelEvent* event)
{
    const TimeScale scale(m_view->range(), plotWidthPx(width()));
    m_view->zoomBy(std::pow(1.25, event->angleDelta().y() / 120.0), scale.toNs(event->position().x() - kLabelWidthPx));
    event->accept();
}

void TimeRuler::mousePressEvent(QMouseEvent* event)
{
    m_pressPx = event->position().toPoint().x();
    m_pressRange = m_view->range();
}

void TimeRuler::mouseMoveEvent(QMouseEvent* event)
{
    const TimeScale scale(m_pressRange, plotWidthPx(width()));
    const std::int64_t wantedNs = m_pressRange.startNs - scale.lengthNs(event->position().x() - m_pressPx);
    m_view->panBy(wantedNs - m_view->range().startNs);
}

}  // namespace overlane
