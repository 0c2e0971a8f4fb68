// What `overlane whatif --json` prints.
//
// Pure functions, any thread. JSON keys are stable: append, never rename. Times in JSON are integers in
// nanoseconds, sizes integers in bytes.
#pragma once

#include "core/cli/device_figures.h"
#include "core/replay/replay.h"

namespace overlane
{

OrderedJson replayJson(const ReplayReport& report);
OrderedJson predictionJson(const Prediction& prediction);

}  // namespace overlane
