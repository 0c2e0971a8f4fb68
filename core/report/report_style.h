// The style sheet of the report, and the colours that its drawings refer to by class.
//
// Pure, any thread. Classes: kN fills with the colour of event kind N, hN / dN / oN / sN the same as
// hatch, dots, outline and dense hatch, lN pales to coverage level N, tN is text that reads on kind N.
// Light and dark follow the reader's settings; print is light.
#pragma once

#include <string>

#include "core/analysis/lost_time.h"
#include "core/trace/event.h"

namespace overlane
{

// The kind of event whose colour stands for an idle cause.
EventKind kindOfCause(LostCause cause);

std::string reportStyle();

}  // namespace overlane
