// What `overlane try` says in the end: the table, the answer, and the lines to change.
//
// Pure functions, any thread. JSON keys are stable: append, never rename.
#pragma once

#include <string>

#include "core/cli/device_figures.h"
#include "core/cli/try_answer.h"

namespace overlane
{

std::string tryText(const TrialAnswer& answer);
// Everything that TrialAnswer reads, and what it was made from.
OrderedJson tryJson(const TryOutcome& outcome);

}  // namespace overlane
