#include "app/plot/plot_cursor.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include <QPainter>

#include "app/theme/palette.h"

namespace overlane
{

namespace
{

constexpr int kRingPx = 8;
constexpr double kPenPx = 2;
// Straight on is nearer than aside.
constexpr int kAside = 3;

}  // namespace

PlotCursor::PlotCursor(QWidget* plot) : QWidget(plot)
{
    setObjectName("plotCursor");
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

void PlotCursor::setPlaces(std::vector<QPoint> places)
{
    m_places = std::move(places);
    if (m_current && *m_current >= m_places.size())
        m_current.reset();
    setGeometry(parentWidget()->rect());
    raise();
    update();
}

QPoint PlotCursor::place() const
{
    return m_current ? m_places[*m_current] : QPoint();
}

std::size_t PlotCursor::outermost(bool right) const
{
    const auto further = [](QPoint a, QPoint b) { return a.x() < b.x(); };
    const auto found = right ? std::max_element(m_places.begin(), m_places.end(), further)
                             : std::min_element(m_places.begin(), m_places.end(), further);
    return static_cast<std::size_t>(found - m_places.begin());
}

bool PlotCursor::move(int key)
{
    const bool sideways = key == Qt::Key_Left || key == Qt::Key_Right;
    const bool end = key == Qt::Key_Home || key == Qt::Key_End;
    if (!sideways && !end && key != Qt::Key_Up && key != Qt::Key_Down)
        return false;
    update();
    if (m_places.empty())
        return true;
    if (end || !m_current) {
        m_current = outermost(key == Qt::Key_End);
        return true;
    }
    const int sign = key == Qt::Key_Right || key == Qt::Key_Down ? 1 : -1;
    const QPoint from = m_places[*m_current];
    int least = std::numeric_limits<int>::max();
    for (std::size_t at = 0; at < m_places.size(); ++at) {
        const QPoint away = m_places[at] - from;
        const int along = sign * (sideways ? away.x() : away.y());
        const int aside = std::abs(sideways ? away.y() : away.x());
        if (along <= 0 || along + kAside * aside >= least)
            continue;
        least = along + kAside * aside;
        m_current = at;
    }
    return true;
}

void PlotCursor::setShown(bool shown)
{
    if (shown && !m_current && !m_places.empty())
        m_current = outermost(false);
    setVisible(shown);
}

void PlotCursor::paintEvent(QPaintEvent*)
{
    const Palette& colors = Palette::current(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    // The frame says where the keyboard is also where nothing is drawn yet.
    painter.setPen(QPen(colors.accent, 1));
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    if (!m_current)
        return;
    painter.setPen(QPen(colors.text, kPenPx));
    painter.drawEllipse(place(), kRingPx, kRingPx);
}

}  // namespace overlane
