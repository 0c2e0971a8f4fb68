// What the details panel says, as rich text: pure functions of a trace and its analysis.
//
// Links are "event:N" with N the index of an event to go to, "copyname:N" to copy its whole name, and
// "help:PAGE#SECTION".
// Any thread.
#pragma once

#include <QColor>
#include <QString>

#include "app/theme/palette.h"
#include "core/analysis/analysis.h"
#include "core/trace/trace.h"

namespace overlane
{

struct DetailsColors {
    QColor muted;
    QColor link;
    const Palette* palette = nullptr;  // for the marks of causes; none without
    bool narrow = false;               // values follow their names instead of a column of their own
};

QString eventDetails(const Trace& trace, const Analysis& analysis, EventIndex index, const DetailsColors& colors);
// `hint`: what can be selected, where nothing is.
QString traceDetails(const Trace& trace, const QString& title, bool hint, const DetailsColors& colors);
// A selected range: its place, its `steps` whole steps of `stepNs` each on average, and the figures of its devices.
QString rangeDetails(const Summary& summary, std::int64_t steps, std::int64_t stepNs, const DetailsColors& colors);

}  // namespace overlane
