// What `overlane whatif` prints: tables for people, JSON for programs.
//
// Pure functions, any thread. JSON keys are stable: append, never rename. Times in JSON are integers in
// nanoseconds, sizes integers in bytes.
#pragma once

#include <string>
#include <vector>

#include "core/cli/device_figures.h"
#include "core/replay/replay.h"

namespace overlane
{

OrderedJson replayJson(const ReplayReport& report);
OrderedJson predictionJson(const Prediction& prediction);

// One line per prediction, as they are ordered, and what cannot be predicted for want of a figure.
std::string suggestionsText(const std::vector<Prediction>& suggestions, const ReplayReport& report);

}  // namespace overlane
