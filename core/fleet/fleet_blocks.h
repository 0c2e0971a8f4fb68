// What is said of a fleet: the answer, its causes, its groups, what became slower, the runs that lost most.
//
// Pure functions, any thread. Shown by the terminal, a page, the window (core/content).
#pragma once

#include "core/content/block.h"
#include "core/fleet/fleet.h"
#include "core/fleet/fleet_figures.h"
#include "core/fleet/fleet_query.h"
#include "core/fleet/fleet_versions.h"

namespace overlane
{

// The lead sentence, how well copies hide, and what became slower.
Blocks fleetAnswer(const Fleet& fleet, const FleetFigures& figures, const std::vector<FleetChange>& changes);
Table fleetCausesTable(const Fleet& fleet, const FleetFigures& figures);
// Without rows where no run copies.
Table fleetOverlapTable(const FleetFigures& figures);
Table fleetVersionsTable(const Fleet& fleet, const std::vector<FleetVersion>& versions);
Table fleetChangesTable(const Fleet& fleet, const std::vector<FleetChange>& changes);
// All of it; the tables of runs and versions with at most so many rows.
Blocks fleetBlocks(const Fleet& fleet, const FleetQuery& query, std::size_t mostRows);

}  // namespace overlane
