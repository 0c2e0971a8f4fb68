// RankStrips: the ranks of a job below each other on one clock: how busy each GPU was, and its communication, in which
// waiting for the last rank is paler than moving data. The members of the collective under the mouse are joined.
//
// Lives on the GUI thread; draws the visible range of the ViewRange it was given, like the lanes of a trace: Ctrl+wheel
// zooms, Shift+wheel and a drag pan, the wheel scrolls. Up and down choose a rank, Enter or a double click opens it.
#pragma once

#include <cstdint>
#include <optional>

#include <QAbstractScrollArea>

#include "app/job/rank_strip.h"
#include "app/timeline/held_keys.h"

namespace overlane
{

class ViewRange;

class RankStrips : public QAbstractScrollArea
{
    Q_OBJECT

public:
    explicit RankStrips(ViewRange* view, QWidget* parent = nullptr);

    void set(const JobStrips& strips);
    const JobStrips& strips() const { return m_strips; }
    int chosen() const { return m_chosen; }  // -1: none
    void choose(int rank);
    // The collective at a place of the viewport: a rank and one of its members.
    struct Hit {
        std::size_t rank = 0;
        std::size_t member = 0;
        friend bool operator==(const Hit&, const Hit&) = default;
    };
    std::optional<Hit> hitAt(QPoint pos) const;
    QString tipAt(QPoint pos) const;

signals:
    void rankChosen(int rank);
    void rankOpened(int rank);

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    int rankAt(int yPx) const;  // -1: none
    int rankPx() const;         // the height of one rank
    int cellsPx() const;        // of its upper part, how busy the GPU was
    int topOf(std::size_t rank) const;
    std::int64_t timeAt(int xPx) const;
    void fitScrollBar();
    void paintRank(QPainter& painter, std::size_t rank);
    void paintCells(QPainter& painter, const RankStrip& strip, int top);
    void paintMembers(QPainter& painter, std::size_t rank, int top);
    void paintJoined(QPainter& painter);
    void point(QPoint pos);

    ViewRange* m_view;
    HeldKeys m_keys;
    JobStrips m_strips;
    int m_chosen = -1;
    std::optional<Hit> m_hit;
    std::optional<QPoint> m_pressed;
    Interval m_pressedRange;
    bool m_dragged = false;
};

}  // namespace overlane
