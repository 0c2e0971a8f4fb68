// The comparison of simulation and GPU for people: a table by knob, the worst cases, and a scatter plot.
//
// Pure functions, any thread.
#pragma once

#include <string>
#include <vector>

#include "core/calibration/fidelity.h"

namespace overlane
{

// Lines for a terminal; the table is Markdown as well, for the help.
std::string fidelityText(const std::vector<FidelityCase>& cases, std::size_t worstCases);
// Simulated over measured wall, both logarithmic, pinned and pageable told apart by form and color.
std::string fidelityPlotSvg(const std::vector<FidelityCase>& cases);

// The settings that differ from those of a first start: "workers=2 pin=ring ...".
std::string scenarioText(const Scenario& scenario);

}  // namespace overlane
