// First look: what of an opened trace is in sight before anybody zooms: a few steps of its steady part.
//
// Pure functions, any thread. Nanoseconds of the trace.
#pragma once

#include <vector>

#include "app/session/analyzed_trace.h"
#include "core/analysis/steps.h"
#include "core/base/interval.h"

namespace overlane
{

inline constexpr std::size_t kFirstSteps = 3;

// From the start of the first of kFirstSteps steps behind warm-up to the end of the last of them: the first ones that
// follow each other without an outlier and without another phase between, where there are such. All steps where there
// are not more; fewer where so few lie behind warm-up. Empty without steps.
Interval firstSteps(const std::vector<Step>& steps);

// These with a margin, without steps what the verdict is about; the whole where that is most of it.
Interval firstLook(const AnalyzedTrace& trace, Interval whole);

}  // namespace overlane
