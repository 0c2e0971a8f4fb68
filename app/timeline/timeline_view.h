// TimelineView: the timeline of a trace: overview strip, ruler, track labels and lanes, legend.
//
// Lives on the GUI thread; shares the trace, sends every change of range and selection to the two
// owners it was given and follows them. `setCompared` freezes a second trace above, on the same time
// axis. Keys: W A S D and arrows, F, M, /, ?, Esc, Backspace; see resources/help.
#pragma once

#include <memory>
#include <vector>

#include <QWidget>

#include "core/base/interval.h"
#include "core/base/strong_id.h"
#include "core/trace/trace.h"

class QLabel;

namespace overlane
{

class LaneCanvas;
class LegendRow;
class OverviewStrip;
class Selection;
class TimeRuler;
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
    void setTrace(std::shared_ptr<const Trace> trace);
    const std::shared_ptr<const Trace>& trace() const;
    // A second trace, frozen above the first; null takes it away.
    void setCompared(std::shared_ptr<const Trace> trace, const QString& title = {});
    void setEmptyText(const QString& text);

    // Collapse state of a track of the shown trace.
    bool isCollapsed(TrackId track) const;
    void setCollapsed(TrackId track, bool collapsed);
    void collapseAll();
    void expandAll();

    // Search hits, drawn outlined; any order.
    void setHighlights(std::vector<EventIndex> events);
    // Expands the event's parents, scrolls to its track and pans (zooming out only if need be).
    void ensureVisible(EventIndex event);
    // Zooms so that the event takes about a third of the width.
    void zoomTo(EventIndex event);

    // The lanes, for tests and for placing other widgets beside them.
    LaneCanvas* lanes() const { return m_lanes; }

signals:
    void searchRequested();
    void helpRequested();
    void eventHovered(overlane::EventIndex event);  // none where the cursor left
    void contextMenuRequested(overlane::EventIndex event, QPoint globalPos);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    void fitSelection();
    void markRange();
    void moveSelection(int alongRow, int acrossRows);
    void updateLimits();

    ViewRange* m_view;
    Selection* m_selection;
    OverviewStrip* m_overview;
    TimeRuler* m_ruler;
    QLabel* m_comparedTitle;
    LaneCanvas* m_compared;
    LaneCanvas* m_lanes;
    LegendRow* m_legend;
};

}  // namespace overlane
