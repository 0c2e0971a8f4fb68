// The findings of a range: every rule asked, what holds ranked by its cost.
//
// FindingFacts is built once per trace (on a worker) and then answers any range in milliseconds, so
// findings may follow a selection. Pure functions; any thread; nanoseconds.
#pragma once

#include <vector>

#include "core/analysis/analysis.h"
#include "core/analysis/steps.h"
#include "core/findings/finding.h"
#include "core/findings/finding_facts.h"
#include "core/findings/rule.h"
#include "core/trace/trace.h"

namespace overlane
{

// `facts` must be of the same trace and analysis.
FindingList findings(const FindingFacts& facts, const Trace& trace, const Analysis& analysis,
                     const std::vector<Step>& steps, Interval range, const WorkMeter& work = {});
// For one-off use; builds the facts and asks once. For a whole trace ask for activeRange() of
// core/analysis/active_range.h: what a program does before its first and after its last step is not what
// people ask about.
FindingList findings(const Trace& trace, const Analysis& analysis, const std::vector<Step>& steps, Interval range,
                     const WorkMeter& work = {});

}  // namespace overlane
