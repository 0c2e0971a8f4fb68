// What the details panel says, as rich text: pure functions of a trace and its analysis.
//
// Links are "event:N" with N the index of an event. Any thread.
#pragma once

#include <QColor>
#include <QString>

#include "core/analysis/summary.h"
#include "core/trace/trace.h"

namespace overlane
{

QString eventDetails(const Trace& trace, const Analysis& analysis, EventIndex index, const QColor& muted);
QString traceDetails(const Trace& trace, const QString& title, const QColor& muted);

}  // namespace overlane
