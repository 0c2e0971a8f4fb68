// A calibration as text for a terminal: its figures with their spread, and its plots as tables.
//
// Pure functions, any thread.
#pragma once

#include <string>

#include "core/calibration/calibrated_profile.h"
#include "core/calibration/calibration_plots.h"

namespace overlane
{

// One figure as people read it, by the unit that its key ends with: "55.5 GB/s", "1.05 us", "1.00 MiB", "0.71".
std::string figureValueText(std::string_view key, double value);
// "54.9 to 55.6 GB/s of 7"; empty where there is no spread.
std::string spreadText(std::string_view key, const FigureSpread& spread);

// Rows of key, value, spread, source's beginning; for tables of any form.
struct FigureRow {
    std::string key;
    std::string value;
    std::string spread;
    std::string source;
    bool measured = false;
};
std::vector<FigureRow> figureRows(const DeviceProfile& profile);

}  // namespace overlane
