// Why a copy was not hidden and why a gap between kernels is there: the parts of the details panel that
// come from the analysis.
//
// Pure functions of a trace and its analysis; a few binary searches per reason or piece. Any thread.
#pragma once

#include <vector>

#include "app/details/details_rows.h"
#include "app/timeline/idle_lane.h"
#include "core/analysis/steps.h"

namespace overlane
{

// The ranked reasons of a copy, each with links to its evidence, and what to change first. Nothing for
// other events.
void addCopyReasons(DetailsRows& rows, const Trace& trace, const Analysis& analysis, EventIndex copy);
// What a kernel waited for, where a gap lies before it.
void addGapBefore(DetailsRows& rows, const Trace& trace, const Analysis& analysis, EventIndex kernel,
                  const DetailsColors& colors);
// A gap between kernels: what it cost, its pieces with cause and evidence, the work around it.
QString gapDetails(const Trace& trace, const Analysis& analysis, const std::vector<Step>& steps, const IdleGapAt& gap,
                   const DetailsColors& colors);

}  // namespace overlane
