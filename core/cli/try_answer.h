// What `overlane try` found out, and the answer that follows.
//
// Pure functions, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/cli/try_predictions.h"
#include "core/trial/trial_answer.h"
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

struct LineToChange {
    TrialSite site;
    std::string what;
};
std::vector<LineToChange> linesToChange(const TryOutcome& outcome);

// "the loader of train.py:31 (num_workers=0, pin_memory=False)".
std::string loaderText(const TrialReport& found);
TrialAnswer answerOf(const TryOutcome& outcome);

}  // namespace overlane
