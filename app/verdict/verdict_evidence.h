// What "Show me" leads to: the event, or at least the time, behind the main finding of a verdict.
//
// Pure functions of an immutable trace and its analysis, any thread; a click costs a pass over the
// stretches lost to one cause. Nanoseconds.
#pragma once

#include "core/analysis/analysis.h"
#include "core/analysis/verdict.h"
#include "core/trace/trace.h"

namespace overlane
{

struct Evidence {
    EventIndex event;   // none where no record explains the time
    Interval interval;  // the longest stretch that the finding is about; empty where there is none
};

// The copy that starts in the range and has the most time outside kernels; none where all are hidden.
EventIndex worstExposedCopy(const Analysis& analysis, Interval range);

Evidence evidenceOf(const Trace& trace, const Analysis& analysis, const Verdict& verdict, Interval range);

}  // namespace overlane
