#include "app/timeline/gauge_readout.h"

#include <utility>

#include <QPainter>

#include "app/theme/palette.h"
#include "app/timeline/timeline_metrics.h"
#include "app/timeline/view_range.h"

namespace overlane
{

GaugeReadout::GaugeReadout(const ViewRange* view, QWidget* parent) : QWidget(parent), m_view(view)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
}

void GaugeReadout::setValues(std::vector<Value> values)
{
    if (values.empty() && m_values.empty())
        return;
    m_values = std::move(values);
    update();
}

void GaugeReadout::setFrame(const QRect& framePx)
{
    if (framePx == m_framePx)
        return;
    m_framePx = framePx;
    update();
}

void GaugeReadout::paintEvent(QPaintEvent*)
{
    const Palette& colors = Palette::current(palette());
    QPainter painter(this);
    if (!m_framePx.isEmpty()) {
        painter.setPen(colors.accent);
        painter.drawRect(m_framePx.adjusted(1, 1, -2, -2));
    }
    const std::optional<int> x = cursorPx(*m_view, width());
    if (!x)
        return;
    paintCursorLine(painter, *m_view, size(), colors.mutedText);
    QColor ground = colors.panel;
    ground.setAlpha(225);
    constexpr int kInsetPx = 5;
    for (const Value& value : m_values) {
        if (value.text.isEmpty())
            continue;
        const int wide = painter.fontMetrics().horizontalAdvance(value.text) + 2 * kInsetPx;
        const int high = std::min(painter.fontMetrics().height() + 2, value.placePx.height());
        const bool fitsRight = *x + 3 + wide < width() - kRightMarginPx;
        const QRect box(fitsRight ? *x + 3 : *x - 3 - wide, value.placePx.center().y() - high / 2, wide, high);
        painter.fillRect(box, ground);
        painter.setPen(colors.text);
        painter.drawText(box, Qt::AlignCenter, value.text);
    }
}

}  // namespace overlane
