// `overlane fleet report`: a scanned fleet as text, JSON or a page. One thread.
#pragma once

#include <cstdint>
#include <string>

#include "core/cli/command.h"

namespace overlane
{

struct FleetReportOptions {
    std::string folder;
    std::string page;   // to write; empty: none
    std::string group;  // of runs listed; empty: all
    std::string cause;  // id
    std::int64_t worst = 20;
    bool json = false;
};

int reportFleet(const FleetReportOptions& options, CommandOutput to);

}  // namespace overlane
