// TintedBar: a bar across the window on a ground of its own. setInk(): the color of a label's text.
//
// Lives on the GUI thread. By palettes, not style sheets: those keep the colors of the theme that was there before.
#pragma once

#include <QFrame>

namespace overlane
{

void setInk(QWidget* widget, const QColor& ink);

class TintedBar : public QFrame
{
    Q_OBJECT

public:
    using QFrame::QFrame;

protected:
    enum class Edge { None, Left, Bottom };

    // Also the ink of its labels and flat buttons.
    void tint(const QColor& ground, const QColor& ink);
    // Of buttons that stand out from the bar, so that its ink is not theirs.
    void dressButtons(const QColor& ground, const QColor& ink);
    void drawEdge(Edge edge, int widthPx, const QColor& color);

    void paintEvent(QPaintEvent* event) override;

private:
    Edge m_edge = Edge::None;
    int m_edgePx = 0;
    QColor m_edgeColor;
};

}  // namespace overlane
