// TimeRuler: the time axis above the lanes, and the bookmarks under it. A drag selects a range, one with
// the middle button pans, the wheel zooms.
//
// Lives on the GUI thread; follows the visible range, the selected range and the bookmarks. Where
// there are bookmarks it is taller by one slim row, so that their names cover no times. A double
// click names one, a right click offers to name or remove it. Steps that stand out carry a mark.
#pragma once

#include <vector>

#include <QWidget>

#include "app/timeline/bookmarks.h"
#include "app/timeline/ruler_mark.h"
#include "core/base/interval.h"

class QLineEdit;

namespace overlane
{

class Selection;
class ViewRange;

// Where a bookmark's name stands, in pixels of the time axis.
struct BookmarkTag {
    std::size_t index = 0;  // of Bookmarks::all()
    int xPx = 0;            // its time
    int textPx = 0;         // room for its name, up to the next one; 0 where there is none
};
// Those within the visible range, left to right.
std::vector<BookmarkTag> bookmarkTags(const std::vector<Bookmark>& bookmarks, Interval range, int widthPx);

class TimeRuler : public QWidget
{
    Q_OBJECT

public:
    TimeRuler(ViewRange* view, Selection* selection, Bookmarks* bookmarks, QWidget* parent = nullptr);

    // Opens the field for a bookmark's name in its place; Enter takes it, Esc leaves it.
    void editName(const Bookmark& bookmark);
    // In order of start.
    void setStepMarks(std::vector<RulerMark> marks);
    ViewRange* view() const { return m_view; }
    const std::vector<RulerMark>& stepMarks() const { return m_stepMarks; }

signals:
    // Of a time, where no bookmark is.
    void contextMenuRequested(std::int64_t ns, QPoint globalPos);

protected:
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;
    bool event(QEvent* event) override;

private:
    void paintTimes(QPainter& painter, int plotPx);
    void paintCursor(QPainter& painter);
    void paintMeasured(QPainter& painter, int plotPx);
    void paintSelection(QPainter& painter, int plotPx);
    void paintStepMarks(QPainter& painter, int plotPx);
    void paintBookmarks(QPainter& painter, int plotPx);
    const Bookmark* bookmarkAt(QPoint posPx) const;
    void endEdit(bool take);

    ViewRange* m_view;
    Selection* m_selection;
    Bookmarks* m_bookmarks;
    std::vector<RulerMark> m_stepMarks;
    QLineEdit* m_field;
    qint64 m_editedNs = 0;
    int m_pressPx = 0;
    bool m_dragged = false;
    Interval m_pressRange;
};

}  // namespace overlane
