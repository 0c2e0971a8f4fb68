// What a recording of a program's first run predicts for settings of its loader, by what-if.
//
// Owns the replay; immutable once made, any thread.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/replay/replay.h"
#include "core/trial/loader_settings.h"

namespace overlane
{

// Parts of the time as it is.
struct PredictedShare {
    double share = 1;
    double low = 1;
    double high = 1;
};

class TryPredictions
{
public:
    // The Error: what the trace has nothing of to replay.
    static Result<TryPredictions> of(const std::string& recording, Progress& progress);

    // None where what-if knows no such change, or this trace has no place for it.
    std::optional<PredictedShare> predict(const LoaderSettings& asItIs, const LoaderSettings& settings) const;

private:
    explicit TryPredictions(Replay replay) : m_replay(std::move(replay)) {}

    Replay m_replay;
};

}  // namespace overlane
