// A trace that holds no GPU work: why, as far as it says, and what to do. Such a trace is no sign that
// a program's copies are hidden. Pure functions, any thread.
#pragma once

#include "core/analysis/verdict.h"
#include "core/trace/trace.h"

namespace overlane
{

// The verdict of a trace without GPU work, with the reason and the way to a trace that has it.
Verdict withoutGpuWork(Verdict verdict, const Trace& trace);

}  // namespace overlane
