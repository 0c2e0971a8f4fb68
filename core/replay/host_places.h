// Host places: in which lines the launching threads of a replayed program were between their calls.
//
// A replay keeps that time as it was measured, so where it decides, a prediction names what would have to change.
// Pure functions, any thread. Nanoseconds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/analysis/code_share.h"
#include "core/base/interval.h"

namespace overlane
{

// The most time first; empty where the trace holds no stacks of these threads.
std::vector<CodeShare> hostPlaces(const Analysis& analysis, Interval range);

// A sentence for the assumptions of a prediction; empty without places. `hostNs` is what the threads are busy in a
// step, or where there are no iterations in all.
std::string hostPlacesNote(const std::vector<CodeShare>& places, std::int64_t hostNs, bool ofRange);

}  // namespace overlane
