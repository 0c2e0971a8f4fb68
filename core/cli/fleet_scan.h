// scanFleet(): `overlane fleet scan`, which the Python package does with Dask or Ray: python3 -m overlane.fleet.
//
// Calling thread, which becomes Python; comes back where that cannot be started.
#pragma once

#include <string>
#include <vector>

#include "core/cli/command.h"

namespace overlane
{

struct FleetScan {
    std::vector<std::string> urls;
    std::string output = "fleet";
    std::string engine = "local";
    int workers = 0;  // 0: the engine's own number
    std::string group;
    std::string versionOf;
    std::string only;
    bool retryFailed = false;
    bool noEasiest = false;
};

// The Python that scans: OVERLANE_PYTHON, that of the virtual environment which this program is installed in, else the
// one of PATH.
std::string fleetPython();

int scanFleet(const FleetScan& scan, CommandOutput to);

}  // namespace overlane
