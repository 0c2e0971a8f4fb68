// FleetQuery: which runs of a fleet are asked for, and in which order.
//
// Pure functions, any thread; the rows are sorted as far as they are shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/content/block.h"
#include "core/fleet/fleet.h"

namespace overlane
{

enum class FleetColumn : std::uint8_t { Name, Group, Version, Recorded, Step, Overlap, Exposed, Lost, Cause, Verdict };

struct FleetQuery {
    std::string text;                  // in the name, address, group, version, GPU or verdict; any case of ASCII
    std::optional<std::string> group;  // exactly
    std::optional<FleetPlace> cause;   // that the run lost kNotableLoss of its time to, at least
    std::optional<std::size_t> overlapBin;
    bool onlyBroken = false;
    FleetColumn order = FleetColumn::Lost;
    bool descending = true;
    std::size_t mostRows = SIZE_MAX;
};

struct FleetRows {
    std::vector<std::size_t> runs;  // places in Fleet::runs
    std::size_t matching = 0;       // of which these are the first
};
FleetRows fleetRows(const Fleet& fleet, const FleetQuery& query);

// A row for each of them, columns in the order of FleetColumn; the remark says what would help.
Table fleetTable(const Fleet& fleet, const FleetRows& rows);

}  // namespace overlane
