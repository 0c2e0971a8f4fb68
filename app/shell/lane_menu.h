// LaneMenu: what the right button offers at a place of the lanes: for an event, a gap, a track, or the time there.
//
// Lives on the GUI thread, until it is closed. Acts on the document's range and selection and on the timeline; what
// concerns other parts of the window is asked for by signals.
#pragma once

#include <QMenu>

#include "app/timeline/lane_canvas.h"

namespace overlane
{

class Document;
class TimelineView;

class LaneMenu : public QMenu
{
    Q_OBJECT

public:
    LaneMenu(const LaneSpot& spot, Document* document, TimelineView* timeline, QWidget* parent);

signals:
    void eventRequested(overlane::EventIndex event);
    // All events of that name.
    void searchRequested(const QString& name);
    // The row of its name among the sums.
    void nameRequested(overlane::EventIndex event);

private:
    void addEvent();
    void addGap();
    void addTrack();
    void copy(const QString& text);
    QMenu* addColors();
    void change(const std::function<void(TrackLook& look)>& change);
    void moveTrack(int by);

    LaneSpot m_spot;
    Document* m_document;
    TimelineView* m_timeline;
    const Trace& m_trace;
};

}  // namespace overlane
