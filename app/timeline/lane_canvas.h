// LaneCanvas: the lanes with their labels, scrolled, and the mouse on them.
//
// Lives on the GUI thread. Shares the trace and its pyramids, follows the visible range and the
// selection.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QScrollBar>
#include <QWidget>

#include "app/timeline/event_set.h"
#include "app/timeline/lane_painter.h"
#include "app/timeline/track_layout.h"
#include "core/lod/trace_pyramids.h"

namespace overlane
{

class Selection;
class ViewRange;

// What is at the top of lanes that were scrolled: a track by its place among its like, so that it can be
// found in another trace, and how far it is scrolled past.
struct LanePlace {
    std::string track;
    int pastPx = 0;
};

// What a place of the lanes is about.
struct LaneSpot {
    TrackId track;                     // none outside of the lanes
    bool bundle = false;               // the track stands for several
    bool onName = false;               // left of the time axis
    EventIndex event;                  // none where there is none
    std::optional<IdleGapAt> gap;      // between kernels
    std::optional<std::int64_t> ns{};  // none beside the time axis
};

class LaneCanvas : public QWidget
{
    Q_OBJECT

public:
    LaneCanvas(ViewRange* view, Selection* selection, QWidget* parent = nullptr);

    // Makes the pyramids where none are given.
    void setTrace(std::shared_ptr<const Trace> trace, std::shared_ptr<const TracePyramids> pyramids = {});
    const std::shared_ptr<const Trace>& trace() const { return m_trace; }
    void setEmptyText(const QString& text);
    // Drawn as lines through the lanes; not taken over.
    void setBookmarks(const Bookmarks* bookmarks);
    // Added to their times, where they are those of another trace.
    void setBookmarkOffset(std::int64_t offsetNs);
    void setHighlights(EventSet events);
    // Of the shown trace: gaps between kernels can be pointed at, and say why they are there.
    void setAnalysis(std::shared_ptr<const Analysis> analysis);
    // Colors all idle time by its cause, not only the gap that is pointed at.
    void setIdleShown(bool shown);
    // Beside the names of tracks.
    void setBadges(TrackBadges badges);
    const TrackBadges& badges() const { return m_badges; }

    // Bundles the many workers of a loader, and the threads that do nothing in the active range; with an empty one no
    // threads, without any nothing (track_bundles.h).
    void setBundling(std::optional<Interval> active);

    // Which of the lanes are shown; all at first.
    void setPart(LanePart part);
    const CollapseState& collapse() const { return m_collapse; }
    // All of what was opened and closed, in place of what there was; foldingChanged() is not emitted.
    void setCollapse(CollapseState collapse);
    void changeCollapse(const std::function<void(CollapseState&, const Trace&)>& change);
    const TrackLayout& trackLayout() const { return m_layout; }
    int scrollPx() const { return m_scroll->value(); }
    const ViewRange* view() const { return m_view; }
    Selection* selection() const { return m_selection; }

    // The event drawn at a place, or none; the place of an event (null where it is not visible).
    EventIndex eventAt(QPoint posPx) const;
    QRect rectOf(EventIndex event) const;
    LaneSpot spotAt(QPoint posPx) const;
    // The gap between kernels at a place of a compute lane.
    std::optional<IdleGapAt> gapAt(QPoint posPx) const;
    // What the pointer on a row's name says: the name where it is elided, and the badge; rich text.
    QString labelTip(int row) const;
    std::int64_t timeAt(int xPx) const;
    void scrollTo(EventIndex event);
    void scrollPages(int pages);
    // The events of the rows that are in sight, at any time.
    std::vector<EventRange> rowsInSight() const;
    // None without lanes.
    std::optional<LanePlace> topPlace() const;
    // As topPlace(); none where they lie as they were first shown.
    std::optional<LanePlace> scrolledTo() const { return m_scrolledByHand ? topPlace() : std::nullopt; }
    // Where this trace has such a track; emits nothing.
    void scrollToPlace(const LanePlace& place);
    void scrollToFirst();
    // Next and previous on the event's row; the nearest in time on the row above or below.
    EventIndex neighbor(EventIndex event, int step) const;
    EventIndex acrossRows(EventIndex event, int step) const;
    // The time under the cursor, or none where it is elsewhere.
    std::optional<std::int64_t> cursorNs() const;
    const std::shared_ptr<const TracePyramids>& pyramids() const { return m_pyramids; }
    const Pyramid* pyramid() const { return m_pyramids ? &m_pyramids->events : nullptr; }

signals:
    void eventHovered(overlane::EventIndex event);
    void scrolled();   // by hand
    void rowsMoved();  // other rows may be in sight
    // By a screen reader: the events in sight as a table.
    void tableRequested();
    void foldingChanged();
    void eventDoubleClicked(overlane::EventIndex event);
    void contextMenuRequested(const overlane::LaneSpot& spot, QPoint globalPos);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    enum class Drag { None, Pending, Range, Pan };

    LaneScene scene() const;
    void bundle();
    void relayout();
    int firstScrollPx() const;
    void redraw();
    void redrawCursor();
    void click(QPoint posPx, bool extend);
    void toggleAt(int yPx);
    void hover(EventIndex event, const std::optional<IdleGapAt>& gap, QPoint globalPos);
    void showLabelTip(QPoint posPx, QPoint globalPos);

    ViewRange* m_view;
    Selection* m_selection;
    std::shared_ptr<const Trace> m_trace;
    std::shared_ptr<const TracePyramids> m_pyramids;
    std::optional<Interval> m_active;  // as setBundling()
    LanePart m_part = LanePart::All;
    CollapseState m_collapse;
    TrackLayout m_layout;
    LanePainter m_painter;
    EventSet m_highlights;
    const Bookmarks* m_bookmarks = nullptr;
    std::int64_t m_bookmarkOffsetNs = 0;
    QString m_emptyText;
    QScrollBar* m_scroll;
    bool m_scrolledByHand = false;
    bool m_scrollingAlike = false;
    EventIndex m_hovered;
    std::optional<IdleGapAt> m_hoveredGap;
    std::shared_ptr<const Analysis> m_analysis;
    bool m_idleShown = false;
    TrackBadges m_badges;
    struct TippedName {
        TrackId track;
        bool bundle = false;
        friend bool operator==(const TippedName&, const TippedName&) = default;
    };
    TippedName m_tippedName;  // the tool tip explains it, and its badge
    bool m_labelTipped = false;
    Drag m_drag = Drag::None;
    QPoint m_pressPx;
    std::int64_t m_pressNs = 0;
    Interval m_pressRange;
    std::optional<int> m_cursorPx;  // where it was drawn last
};

}  // namespace overlane
