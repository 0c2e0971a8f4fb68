// The kind of event whose colour stands for an idle cause, wherever causes are drawn. Pure; any thread.
#pragma once

#include "core/analysis/lost_time.h"
#include "core/trace/event.h"

namespace overlane
{

EventKind causeKind(LostCause cause);

}  // namespace overlane
