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

struct DetailsColours {
    QColor muted;
    QColor link;
    const Palette* palette = nullptr;  // for the marks of causes; none without
    bool narrow = false;               // values follow their names instead of a column of their own
};

QString eventDetails(const Trace& trace, const Analysis& analysis, EventIndex index, const DetailsColours& colours);
QString traceDetails(const Trace& trace, const QString& title, const DetailsColours& colours);

}  // namespace overlane
