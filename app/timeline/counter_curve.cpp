#include "app/timeline/counter_curve.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace overlane
{

CounterCurve::CounterCurve(QCPAxis* keyAxis, QCPAxis* valueAxis) : QCPAbstractPlottable(keyAxis, valueAxis)
{
    setSelectable(QCP::stNone);
    setAntialiased(false);
}

void CounterCurve::setSamples(CounterSamples samples, double endPx)
{
    m_samples = std::move(samples);
    m_endPx = endPx;
}

void CounterCurve::draw(QCPPainter* painter)
{
    const QRect area = keyAxis()->axisRect()->rect();
    painter->setPen(Qt::NoPen);
    drawSteps(painter, area);
    if (const double endPx = area.left() + m_endPx; endPx < area.right()) {
        const int end = std::max(area.left(), static_cast<int>(std::lround(endPx)));
        painter->fillRect(end, area.top(), area.right() + 1 - end, area.height(), m_inks.nothing);
        painter->fillRect(end, area.top(), 1, area.height(), m_inks.end);
    }
}

void CounterCurve::drawSteps(QCPPainter* painter, const QRect& area) const
{
    if (m_samples.columns.empty())
        return;

    // The axis is linear: zero and the length of the axis say where every value is.
    const QCPRange range = valueAxis()->range();
    const double zeroPx = valueAxis()->coordToPixel(0);
    const double pxPerUnit =
        (valueAxis()->coordToPixel(range.upper) - valueAxis()->coordToPixel(range.lower)) / range.size();
    const double wholePx = 2.0 * area.height();
    const auto heightAt = [&](double value) {
        const double y = zeroPx + value * pxPerUnit;
        return std::isfinite(y)
                   ? static_cast<int>(std::lround(std::clamp(y, area.top() - wholePx, area.bottom() + wholePx)))
                   : area.bottom() + 1;
    };
    const int base = std::min(heightAt(0), area.bottom() + 1);
    QList<QRect> fills;
    QList<QRect> lines;
    // Columns [from, to) between two heights: the line spans them, the ground reaches up to the higher one.
    const auto put = [&](int from, int to, int top, int bottom) {
        from = std::max(from, area.left());
        to = std::min(to, area.right() + 1);
        if (to <= from)
            return;
        lines.push_back(QRect(from, top, to - from, bottom - top + 1));
        from = std::max(from, area.left() + 1);  // the axis stays in sight
        if (base > top + 1 && to > from)
            fills.push_back(QRect(from, top + 1, to - from, base - top - 1));
    };
    const auto& columns = m_samples.columns;
    int held = heightAt(columns.front().last);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const CounterColumn& column = columns[i];
        const int last = heightAt(column.last);
        int top = std::min(held, last);
        int bottom = std::max(held, last);
        if (!column.values.none()) {
            top = std::min(top, heightAt(column.values.highest));
            bottom = std::max(bottom, heightAt(column.values.lowest));
        }
        held = last;
        const int x = area.left() + column.px;
        put(x, x + 1, top, bottom);
        const int next = i + 1 < columns.size() ? columns[i + 1].px : m_samples.endPx + 1;
        put(x + 1, area.left() + next, held, held);
    }

    painter->setBrush(m_inks.fill);
    painter->drawRects(fills);
    painter->setBrush(m_inks.line);
    painter->drawRects(lines);
}

void CounterCurve::drawLegendIcon(QCPPainter* painter, const QRectF& rect) const
{
    painter->fillRect(rect, m_inks.line);
}

double CounterCurve::selectTest(const QPointF&, bool, QVariant*) const
{
    return -1;
}

// No axis follows what a curve holds: the panel sets them.
QCPRange CounterCurve::getKeyRange(bool& found, QCP::SignDomain) const
{
    found = false;
    return {};
}

QCPRange CounterCurve::getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const
{
    found = false;
    return {};
}

}  // namespace overlane
