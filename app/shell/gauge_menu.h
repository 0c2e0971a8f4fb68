// GaugeMenu: what the right button offers on a gauge: its value, its extremes, its scale, its place, and which gauges
// are shown.
//
// Lives on the GUI thread, until it is closed. What it changes is kept with the arrangement of the tracks
// (TimelineView::arrange()).
#pragma once

#include <functional>

#include <QMenu>

#include "app/timeline/gauge_panel.h"

namespace overlane
{

class Document;
class TimelineView;

class GaugeMenu : public QMenu
{
    Q_OBJECT

public:
    GaugeMenu(const GaugeSpot& spot, Document* document, TimelineView* timeline, GaugePanel* gauges, QWidget* parent);

    // One entry for each gauge of the trace, checked where it is shown; for the View menu, too.
    static void fillWithGauges(QMenu* menu, TimelineView* timeline, GaugePanel* gauges);

private:
    void addValue();
    void addPlace();
    void change(const std::function<void(TrackLook& look)>& change);

    GaugeSpot m_spot;
    Document* m_document;
    TimelineView* m_timeline;
    GaugePanel* m_gauges;
    const Trace& m_trace;
};

}  // namespace overlane
