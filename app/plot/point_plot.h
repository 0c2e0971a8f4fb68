// PointPlot: a plot whose points the pointer tells of, the arrow keys go along, and a click or Enter chooses.
//
// Lives on the GUI thread. A plot derives from it, draws on m_plot, and says where its points are and what they are;
// it is drawn anew where its size or the palette changes.
#pragma once

#include <optional>
#include <vector>

#include <QPoint>
#include <QWidget>

class QCustomPlot;

namespace overlane
{

class PlotCursor;

class PointPlot : public QWidget
{
public:
    QCustomPlot* canvas() const { return m_plot; }

protected:
    explicit PointPlot(QWidget* parent);

    virtual void redraw() = 0;
    // Of the points that the arrow keys go along, in pixels of the plot.
    virtual std::vector<QPoint> places() const = 0;
    // The point nearest to a place, if one is near.
    virtual std::optional<std::size_t> pointNear(QPoint place) const = 0;
    virtual QString describePoint(std::size_t point) const = 0;
    virtual void choosePoint(std::size_t point) = 0;

    // Where the points have moved.
    void placeCursor();

    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

    QCustomPlot* m_plot;

private:
    PlotCursor* m_cursor;
};

}  // namespace overlane
