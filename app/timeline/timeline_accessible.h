// What a screen reader finds in the timeline: lanes as a list with their events in sight, gauges with their values,
// the overview as the bar that moves the visible range, the ruler with the times shown.
//
// GUI thread. The interfaces read the widgets when asked and are dropped with them, or when another trace is shown.
#pragma once

#include <QAccessible>
#include <QString>

#include "core/trace/trace.h"

namespace overlane
{

class LaneCanvas;

// Children of a lane: the first events in sight, so that a reader is not lost among millions.
constexpr int kMostSpokenEvents = 200;

// For QAccessible::installFactory(), which takes it once.
QAccessibleInterface* timelineAccessible(const QString& className, QObject* object);

// One short sentence: "Memcpy HtoD on H2D, starts at 21.366 129 432 s, takes 5.129 432 ms".
QString spokenEvent(const Trace& trace, EventIndex event);
// Moves the reader's focus to an event of the lanes; nothing where no reader runs or no lane shows it.
void focusSpoken(LaneCanvas* lanes, EventIndex event);

}  // namespace overlane
