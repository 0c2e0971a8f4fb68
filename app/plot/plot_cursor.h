// PlotCursor: the point of a plot that the keyboard is on, as a ring over it.
//
// Lives on the GUI thread, as a child of the plot, which it lets all mouse events through to. The plot tells where its
// points are, in its own pixels, whenever they move, and what it does with the point that the arrows chose.
#pragma once

#include <optional>
#include <vector>

#include <QPoint>
#include <QWidget>

namespace overlane
{

class PlotCursor : public QWidget
{
public:
    explicit PlotCursor(QWidget* plot);

    // Keeps the point it is on where that is still there.
    void setPlaces(std::vector<QPoint> places);
    std::optional<std::size_t> current() const { return m_current; }
    QPoint place() const;
    // An arrow goes to the next point in its direction, Home and End to the leftmost and the rightmost. True where the
    // key is one of these; without a point yet, any of them comes to the leftmost.
    bool move(int key);
    void setShown(bool shown);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::size_t outermost(bool right) const;

    std::vector<QPoint> m_places;
    std::optional<std::size_t> m_current;
};

}  // namespace overlane
