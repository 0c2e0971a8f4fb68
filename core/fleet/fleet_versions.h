// The versions of each group of a fleet, and what became slower from one to the next.
//
// A group is what one program's runs have in common (a folder, a model); a version is what was changed (a commit, a
// release). Versions follow each other by the median time their runs were recorded, where that is known of all of them,
// else by name. Two versions are compared by core/compare/sample.h's rank test over one value of each run: runs, unlike
// steps, are independent. The p values of all comparisons of a fleet are adjusted together, and a difference of a
// hundredth is none (core/compare/speed.h). Pure functions, any thread. Nanoseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/compare/sample.h"
#include "core/fleet/fleet.h"

namespace overlane
{

struct FleetVersion {
    FleetPlace group = kNoPlace;
    FleetPlace version = kNoPlace;
    std::int64_t runs = 0;                  // that were read
    std::optional<std::int64_t> recordedS;  // median
    std::optional<double> stepNs;           // median of the runs with steps
    std::optional<double> overlap;          // median of the runs with copies
    double lostShare = 0;                   // of their GPU time
    double lostGpuNs = 0;
};
// By group in the order of their names, then in the order of time.
std::vector<FleetVersion> fleetVersions(const Fleet& fleet);

struct FleetChange {
    FleetPlace group = kNoPlace;
    FleetPlace before = kNoPlace;
    FleetPlace after = kNoPlace;
    std::size_t runsBefore = 0;  // with steps
    std::size_t runsAfter = 0;
    double stepBeforeNs = 0;  // medians
    double stepAfterNs = 0;
    double p = 1;  // adjusted
    Claim claim = Claim::TooFew;

    double change() const { return stepBeforeNs > 0 ? stepAfterNs / stepBeforeNs - 1 : 0; }
};
// Each version and the one before it; claimed ones first, the largest change first.
std::vector<FleetChange> fleetChanges(const Fleet& fleet);

}  // namespace overlane
