// What a screen reader finds in the lanes: a list of lanes, each with its events in sight. GUI thread.
#pragma once

#include <QString>

#include "core/trace/trace.h"

class QAccessibleInterface;

namespace overlane
{

class LaneCanvas;

// Children of a lane: the first events in sight, so that a reader is not lost among millions.
constexpr int kMostSpokenEvents = 200;

// The action that lists all of them (LaneCanvas::tableRequested()).
inline QString spokenTableAction()
{
    return QStringLiteral("Show what is in sight as a table");
}

// For the factory of interfaces, which takes it over.
QAccessibleInterface* spokenLanes(LaneCanvas* canvas);

// One short sentence: "Memcpy HtoD on H2D, starts at 21.366 129 432 s, takes 5.129 432 ms".
QString spokenEvent(const Trace& trace, EventIndex event);
// Moves the reader's focus to an event of the lanes; nothing where no reader runs or no lane shows it.
void focusSpoken(LaneCanvas* lanes, EventIndex event);

}  // namespace overlane
