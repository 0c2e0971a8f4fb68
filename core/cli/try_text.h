// What `overlane try` says: a line for each run, the table in the end, and the lines to change.
//
// Pure functions, any thread. JSON keys are stable: append, never rename.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/cli/info_text.h"
#include "core/cli/try_predictions.h"
#include "core/trial/trial_report.h"
#include "core/trial/trial_series.h"

namespace overlane
{

struct TryOutcome {
    TrialReport found;  // in the first run
    const TrialSeries& series;
    std::vector<std::optional<PredictedShare>> predicted;  // by row
    std::string noPredictions;                             // why there are none; else empty
    double seconds = 0;                                    // of it all
    std::int64_t batches = 0;                              // of each run's stretch
    bool budgetSpent = false;
    bool cancelled = false;
};

// "the loader of train.py:31 (num_workers=0, pin_memory=False)".
std::string loaderText(const TrialReport& found);
std::string tryText(const TryOutcome& outcome);
OrderedJson tryJson(const TryOutcome& outcome);

}  // namespace overlane
