#include "app/findings/finding_marks.h"

#include <algorithm>
#include <cmath>

#include <QPainter>
#include <QPainterPath>

#include "app/findings/finding_text.h"
#include "app/theme/palette.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr int kMarkPx = 16;
constexpr QSize kBarPx(72, 8);

}  // namespace

SeverityMark::SeverityMark(QWidget* parent) : QWidget(parent)
{
    setFixedSize(kMarkPx, kMarkPx);
}

void SeverityMark::setSeverity(FindingSeverity severity)
{
    m_severity = severity;
    setToolTip(severityText(severity));
    setAccessibleName(severityText(severity));
    update();
}

void SeverityMark::paintEvent(QPaintEvent*)
{
    const Palette& colors = Palette::current(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const auto letter = [&](const QColor& ground) {
        QFont bold = font();
        bold.setBold(true);
        bold.setPixelSize(11);
        painter.setFont(bold);
        painter.setPen(colors.textOn(ground));
        painter.drawText(rect(), Qt::AlignCenter, u"!"_s);
    };
    switch (m_severity) {
        case FindingSeverity::Hazard: {
            QPolygonF octagon;
            for (int i = 0; i < 8; ++i) {
                const double angle = (i + 0.5) * std::acos(-1.0) / 4;
                octagon << QPointF(8 + 7.6 * std::cos(angle), 8 + 7.6 * std::sin(angle));
            }
            painter.setBrush(colors.error);
            painter.drawPolygon(octagon);
            letter(colors.error);
            break;
        }
        case FindingSeverity::Problem:
            painter.setBrush(colors.warning);
            painter.drawPolygon(QPolygonF{{8, 1.5}, {15.2, 14.5}, {0.8, 14.5}});
            break;
        case FindingSeverity::Hint:
            painter.setBrush(colors.accent);
            painter.drawEllipse(QPointF(8, 8), 5.5, 5.5);
            break;
        case FindingSeverity::Good: {
            QPainterPath tick({2.5, 8.5});
            tick.lineTo(6.5, 12.5);
            tick.lineTo(13.5, 3.5);
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(colors.good, 2.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
            painter.drawPath(tick);
            break;
        }
    }
}

CostBar::CostBar(QWidget* parent) : QWidget(parent)
{
    setFixedSize(kBarPx);
}

void CostBar::setShare(double share)
{
    m_share = std::clamp(share, 0.0, 1.0);
    update();
}

void CostBar::paintEvent(QPaintEvent*)
{
    const Palette& colors = Palette::current(palette());
    QPainter painter(this);
    painter.fillRect(rect(), colors.grid);
    if (m_share > 0)
        painter.fillRect(0, 0, std::max(2, static_cast<int>(std::lround(m_share * width()))), height(), colors.warning);
}

}  // namespace overlane
