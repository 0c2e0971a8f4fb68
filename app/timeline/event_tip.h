// What the tool tip of an event says, as rich text: name, times, and for copies size, rate, memory. Pure.
#pragma once

#include <QString>

#include "core/trace/trace.h"

namespace overlane
{

QString eventTip(const Trace& trace, EventIndex event);

}  // namespace overlane
