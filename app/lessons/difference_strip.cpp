#include "app/lessons/difference_strip.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QPainter>

#include "app/theme/palette.h"
#include "app/timeline/timeline_metrics.h"
#include "app/timeline/view_range.h"
#include "app/widgets/text.h"
#include "core/lod/time_scale.h"

namespace overlane
{

namespace
{
constexpr int kRowHeightPx = 22;
constexpr int kInsetPx = 4;
}  // namespace

DifferenceStrip::DifferenceStrip(ViewRange* view, QWidget* parent) : QWidget(parent), m_view(view)
{
    setObjectName("differenceStrip");
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(view, &ViewRange::rangeChanged, this, qOverload<>(&QWidget::update));
    connect(view, &ViewRange::limitsChanged, this, qOverload<>(&QWidget::update));
    hide();
}

void DifferenceStrip::setDifference(const std::optional<LessonDifference>& difference, const QString& a,
                                    const QString& b)
{
    m_difference = difference;
    m_a = a;
    m_b = b;
    setVisible(difference.has_value());
    setAccessibleName(difference ? difference->sentence : QString());
    setToolTip(difference && difference->steps
                   ? u"The same step in both runs, from its start to the start of the next"_s
                   : u"Both runs, from start to end"_s);
    update();
}

void DifferenceStrip::setScale(double scale)
{
    m_scale = scale;
    updateGeometry();
    update();
}

void DifferenceStrip::setMagnified(double factor)
{
    m_magnified = factor;
    update();
}

int DifferenceStrip::rowPx() const
{
    return static_cast<int>(kRowHeightPx * m_scale);
}

QSize DifferenceStrip::sizeHint() const
{
    return {200, 2 * rowPx() + 2 * kInsetPx};
}

QString DifferenceStrip::savingText() const
{
    if (!m_difference)
        return {};
    const std::int64_t a = m_difference->a.lengthNs();
    const std::int64_t b = m_difference->b.lengthNs();
    const Pace shown = simulatedSpeed(a, b).pace;
    if (!isClaimed(shown) || shown != m_difference->speed.pace)
        return {};
    return (b < a ? u"%1 saves %2"_s : u"%1 costs %2 more"_s).arg(m_b, durationText(std::abs(a - b)));
}

void DifferenceStrip::paintEvent(QPaintEvent*)
{
    if (!m_difference)
        return;
    const Palette& colors = Palette::current(palette());
    QPainter painter(this);
    painter.fillRect(rect(), colors.panel);
    QFont font = this->font();
    font.setPixelSize(static_cast<int>(13 * m_scale));
    font.setBold(true);
    painter.setFont(font);
    // As the lanes below lay themselves out before they are magnified.
    const auto magnified = [this](int px) { return static_cast<int>(std::lround(px * m_magnified)); };
    const int namesPx = magnified(kLabelWidthPx);
    const int lanesPx = plotWidthPx(static_cast<int>(width() / m_magnified));
    const TimeScale scale(m_view->range(), lanesPx);
    const auto px = [&](std::int64_t ns) {
        return static_cast<int>(std::lround((kLabelWidthPx + scale.toPx(ns)) * m_magnified));
    };
    const Interval a = m_difference->a;
    const Interval b{m_difference->b.startNs - m_difference->offsetNs, m_difference->b.endNs - m_difference->offsetNs};
    painter.setPen(colors.text);
    painter.drawText(QRect(8, kInsetPx, namesPx - 18, 2 * rowPx()), Qt::AlignRight | Qt::AlignVCenter,
                     m_difference->steps ? u"the same step"_s : u"the whole run"_s);
    painter.setClipRect(namesPx, 0, magnified(lanesPx), height());
    const bool saves = b.lengthNs() < a.lengthNs();
    // Words too long for their bar stand behind both bars, one after the other.
    constexpr int kBehindPx = 7;
    const int behindPx = px(std::max(a.endNs, b.endNs)) + kBehindPx;
    std::array<int, 2> freePx{behindPx, behindPx};
    const auto bracket = [&](Interval interval, int row, const QString& name, const QColor& color) {
        const QRect box(
            QPoint(px(interval.startNs), kInsetPx + row * rowPx() + 1),
            QPoint(std::max(px(interval.startNs) + 1, px(interval.endNs)), kInsetPx + (row + 1) * rowPx() - 2));
        painter.fillRect(box, color);
        const QString label = u"%1  %2"_s.arg(name, durationText(interval.lengthNs()));
        const int labelPx = painter.fontMetrics().horizontalAdvance(label);
        const bool fits = labelPx + 8 < box.width();
        int& free = freePx[static_cast<std::size_t>(row)];
        painter.setPen(fits ? colors.textOn(color) : colors.text);
        painter.drawText(fits ? box.adjusted(6, 0, -2, 0) : QRect(free, box.top(), width(), box.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, label);
        if (!fits)
            free += labelPx + 2 * kBehindPx;
    };
    bracket(a, 0, m_a, colors.kind(EventKind::Step));
    bracket(b, 1, m_b, colors.accent);
    const QString saving = savingText();
    if (saving.isEmpty())
        return;
    // What lies between the two ends, in the row of the shorter one.
    const int row = saves ? 1 : 0;
    const QRect between(QPoint(px(std::min(a.endNs, b.endNs)), kInsetPx + row * rowPx() + 1),
                        QPoint(px(std::max(a.endNs, b.endNs)), kInsetPx + (row + 1) * rowPx() - 2));
    const QColor color = saves ? colors.good : colors.error;
    painter.fillRect(between, QBrush(color, Qt::BDiagPattern));
    painter.setPen(color);
    painter.drawRect(between.adjusted(0, 0, -1, -1));
    const int needs = painter.fontMetrics().horizontalAdvance(saving) + 8;
    QRect place = between;
    if (needs > between.width()) {
        // Behind the bars, in the row that has room for it; the sentence above says it, too.
        const int endPx = namesPx + magnified(lanesPx);
        const auto fitsIn = [&](int at) { return freePx[static_cast<std::size_t>(at)] + needs <= endPx; };
        const int in = fitsIn(row) ? row : 1 - row;
        if (!fitsIn(in))
            return;
        place =
            QRect(freePx[static_cast<std::size_t>(in)], between.top() + (in - row) * rowPx(), needs, between.height());
    }
    painter.fillRect(QRect(place.center().x() - needs / 2, place.top() + 2, needs, place.height() - 4), colors.panel);
    painter.setPen(colors.text);
    painter.drawText(place, Qt::AlignCenter, saving);
}

}  // namespace overlane
