// What a screen reader finds in the timeline: lanes as a list with their events in sight, gauges with their values,
// the overview as the bar that moves the visible range, the ruler with the times shown. Lanes (spoken_lanes.h) and the
// timeline as a whole offer what is in sight as a table.
//
// GUI thread. The interfaces read the widgets when asked and are dropped with them, or when another trace is shown.
#pragma once

#include <QAccessible>
#include <QString>

namespace overlane
{

// For QAccessible::installFactory(), which takes it once.
QAccessibleInterface* timelineAccessible(const QString& className, QObject* object);

}  // namespace overlane
