// MarkedLabel: a text with a strip of color at its left, for verdicts and warnings. GUI thread.
#pragma once

#include <QColor>
#include <QLabel>
#include <QPainter>

namespace overlane
{

class MarkedLabel : public QLabel
{
public:
    explicit MarkedLabel(QWidget* parent = nullptr) : QLabel(parent)
    {
        setWordWrap(true);
        setTextInteractionFlags(Qt::TextSelectableByMouse);
        setContentsMargins(kStripPx + kGapPx, 2, 0, 2);
    }

    void setMark(const QColor& color)
    {
        m_mark = color;
        update();
    }
    QColor mark() const { return m_mark; }

protected:
    void paintEvent(QPaintEvent* event) override
    {
        QPainter(this).fillRect(0, 0, kStripPx, height(), m_mark);
        QLabel::paintEvent(event);
    }

private:
    static constexpr int kStripPx = 4;
    static constexpr int kGapPx = 8;

    QColor m_mark;
};

}  // namespace overlane
