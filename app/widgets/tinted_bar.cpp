#include "app/widgets/tinted_bar.h"

#include <QPainter>
#include <QPushButton>

namespace overlane
{

void setInk(QWidget* widget, const QColor& ink)
{
    QPalette own;
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        own.setColor(role, ink);
    widget->setPalette(own);
}

void TintedBar::tint(const QColor& ground, const QColor& ink)
{
    QPalette own;
    own.setColor(QPalette::Window, ground);
    own.setColor(QPalette::WindowText, ink);
    own.setColor(QPalette::ButtonText, ink);
    setAutoFillBackground(true);
    setPalette(own);
}

void TintedBar::dressButtons(const QColor& ground, const QColor& ink)
{
    QPalette own;
    own.setColor(QPalette::Button, ground);
    own.setColor(QPalette::ButtonText, ink);
    for (QPushButton* button : findChildren<QPushButton*>())
        button->setPalette(own);
}

void TintedBar::drawEdge(Edge edge, int widthPx, const QColor& color)
{
    m_edge = edge;
    m_edgePx = widthPx;
    m_edgeColor = color;
    update();
}

void TintedBar::paintEvent(QPaintEvent* event)
{
    QFrame::paintEvent(event);
    if (m_edge == Edge::None)
        return;
    const QRect strip =
        m_edge == Edge::Left ? QRect(0, 0, m_edgePx, height()) : QRect(0, height() - m_edgePx, width(), m_edgePx);
    QPainter(this).fillRect(strip, m_edgeColor);
}

}  // namespace overlane
