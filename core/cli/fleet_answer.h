// The JSON of `overlane fleet report`.
//
// Pure functions, any thread. Keys are stable: append, never rename. Nanoseconds; GPU time is that of one GPU.
#pragma once

#include "core/cli/device_figures.h"
#include "core/fleet/fleet.h"
#include "core/fleet/fleet_query.h"

namespace overlane
{

// The runs are those that the query asks for.
OrderedJson fleetJson(const Fleet& fleet, const FleetQuery& query);

}  // namespace overlane
