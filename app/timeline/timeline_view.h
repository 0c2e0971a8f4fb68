// TimelineView: the timeline of a trace: overview strip, ruler, track labels and lanes, legend.
//
// Lives on the GUI thread; shares the trace, sends every change of range and selection to the two
// owners it was given and follows them; owns the bookmarks. Another trace may stand above and one below, on
// the same time axis at an offset each. Keys and gestures: timeline_shortcuts.h. Zooms and pans move smoothly,
// unless the style or OVERLANE_MOTION=0 asks for none, or the platform draws offscreen.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <QWidget>

#include "app/timeline/event_set.h"
#include "app/timeline/ruler_mark.h"
#include "app/timeline/timeline_shortcuts.h"
#include "app/timeline/track_badge.h"
#include "core/base/interval.h"
#include "core/base/strong_id.h"
#include "core/trace/trace.h"

class QLabel;

namespace overlane
{

class Analysis;
class Bookmarks;
class HeldKeys;
class CollapseState;
class LaneCanvas;
struct LaneSpot;
class LaneStack;
class TrackArrangement;
class LegendRow;
class OverviewStrip;
class SecondLanes;
class Selection;
class TimeRuler;
struct TracePyramids;
class TitleLabel;
class ViewRange;

class TimelineView : public QWidget
{
    Q_OBJECT

public:
    // Neither owner is taken over; both must outlive the view.
    TimelineView(ViewRange* view, Selection* selection, QWidget* parent = nullptr);
    ~TimelineView() override;

    // Sets the view's limits to the trace's span. Tracks keep their collapsed state by their path of
    // names, and the visible range stays where it fits, so that a re-run does not jump. Clears search
    // highlights; the selected event is cleared where the trace is another one. Null shows `emptyText`.
    // Makes the pyramids where none are given.
    void setTrace(std::shared_ptr<const Trace> trace, std::shared_ptr<const TracePyramids> pyramids = {});
    const std::shared_ptr<const Trace>& trace() const;
    // What the shown trace is called above its lanes while another is there.
    void setShownName(const QString& name);
    void setEmptyText(const QString& text);
    // Whether it may become lower than is easy to read, because something else in the window is looked at.
    void setYielding(bool yielding);

    // As LaneCanvas::setBundling(), for what is shown; traces above and below go without quiet threads.
    void setBundling(std::optional<Interval> active);
    // Collapse state of a track of the shown trace.
    bool isCollapsed(TrackId track) const;
    void setCollapsed(TrackId track, bool collapsed);
    void collapseAll();
    void expandAll();
    // Changes how tracks are arranged, and says so as folding does.
    void arrange(const std::function<void(TrackArrangement& arrangement, const Trace& trace)>& change);
    const CollapseState& tracks() const;
    // Whether the engines of GPUs stay in sight, below the others, where all lanes are higher than the room.
    void setEnginesKept(bool kept);
    bool enginesKept() const;
    // Which tracks were opened and closed by hand and how they are arranged, as text to be kept; setFolding() takes
    // what it does not understand as nothing.
    QString folding() const;
    void setFolding(const QString& folding);

    // Kept from run to run of the laboratory, dropped where a trace of another origin is shown.
    Bookmarks* bookmarks() const { return m_bookmarks; }
    // Named with its time, and the field for another name opens in the ruler.
    void addBookmark(std::int64_t timeNs);
    // Does what a key of timelineShortcuts() does; false where the action has no meaning here.
    bool perform(TimelineAction action);

    // Of the shown trace; null where there is none. Gaps between kernels then say why they are there.
    void setAnalysis(std::shared_ptr<const Analysis> analysis);
    // Colors all idle time of the compute lanes by its cause, not only the gap pointed at.
    void setIdleShown(bool shown);
    bool idleShown() const { return m_idleShown; }
    void setBadges(TrackBadges badges);
    // Steps that stand out, on the ruler.
    void setStepMarks(std::vector<RulerMark> marks);
    // Iterations in order of start, to go from one to the next.
    void setSteps(std::vector<Interval> steps) { m_steps = std::move(steps); }
    // The one that a time lies in.
    std::optional<Interval> stepAt(std::int64_t ns) const;
    bool hasSteps() const { return !m_steps.empty(); }

    // Search hits, drawn outlined; any order.
    void setHighlights(const EventSet& events);
    // Expands the event's parents, scrolls to its track and pans (zooming out only if need be).
    void ensureVisible(EventIndex event);
    // Zooms in where the event is narrower than a person finds; the rest of the view stays around it.
    void ensureLegible(EventIndex event);
    // Zooms so that the event takes about a third of the width.
    void zoomTo(EventIndex event);

    // The events of the lanes that are in sight, at any time.
    std::vector<EventRange> rowsInSight() const;

    // The lanes, for tests and for placing other widgets beside them.
    LaneCanvas* lanes() const;
    // Those kept in sight; hidden where there are none.
    LaneCanvas* pinned() const;
    // What the shown trace is compared with: the baseline above; below a prediction or another file.
    SecondLanes* above() const { return m_above; }
    SecondLanes* below() const { return m_below; }
    TimeRuler* ruler() const { return m_ruler; }
    OverviewStrip* overview() const { return m_overview; }
    HeldKeys* heldKeys() const { return m_held; }

signals:
    void foldingChanged();  // by hand, or to show an event
    void rowsMoved();       // other lanes may be in sight
    void tableRequested();  // what is in sight as a table
    void searchRequested();
    void helpRequested();
    void eventHovered(overlane::EventIndex event);  // none where the cursor left
    void contextMenuRequested(const overlane::LaneSpot& spot, QPoint globalPos);
    // Of ruler and overview.
    void timeMenuRequested(std::int64_t ns, QPoint globalPos);

protected:
    // By key: of the selected event, else of the time at the cursor.
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    std::int64_t anchorNs() const;
    void fitSelection();
    void markRange();
    void toggleBookmark();
    void jumpToBookmark(int step);
    void renameBookmark();
    void toggleTrack();
    void jumpToStep(int by);
    void speakSelection(EventIndex event);
    void moveSelection(int alongRow, int acrossRows);
    void updateLimits();
    void showTitles();
    void shareHeight();
    // Scrolls the other lanes to the track that one of them was scrolled to.
    void scrollAlike(LaneCanvas* from);

    ViewRange* m_view;
    Selection* m_selection;
    Bookmarks* m_bookmarks;
    HeldKeys* m_held;
    OverviewStrip* m_overview;
    TimeRuler* m_ruler;
    SecondLanes* m_above;
    TitleLabel* m_shownTitle;  // while there is another trace
    LaneStack* m_stack;
    LaneCanvas* m_lanes;  // of the stack
    SecondLanes* m_below;
    LegendRow* m_legend;
    std::vector<Interval> m_steps;
    QString m_shownName;
    bool m_idleShown = false;
    bool m_yielding = false;
    std::int64_t m_jumpedNs = 0;  // the bookmark last gone to
};

}  // namespace overlane
