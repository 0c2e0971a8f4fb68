// The part of a trace that `overlane convert` writes, and what it says of it. Pure functions, any thread.
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/cli/device_figures.h"
#include "core/judgement/judged_trace.h"

namespace overlane
{

// What happens from the start of one step to the end of another, numbered from 0 in order of start.
Result<Trace> cutToSteps(const Trace& trace, const StepNumbers& numbers, const std::string& file);
OrderedJson convertJson(const std::string& in, const std::string& out, const Trace& trace);

}  // namespace overlane
