#include "core/cli/try_predictions.h"

#include <utility>
#include <vector>

#include "core/cli/judge_file.h"

namespace overlane
{

Result<TryPredictions> TryPredictions::of(const std::string& recording, Progress& progress)
{
    TraceRequest request;
    request.depth = Depth::Verdict;
    ASSIGN_OR_RETURN(std::unique_ptr<const JudgedTrace> read, judgeFile(recording, LongTask::Drawing::Never, request));
    const std::shared_ptr<const JudgedTrace> judged = std::move(read);
    ReplayOptions options;
    options.averageStepNs = judged->judgement.stepNs;
    options.range = judged->judgement.range;
    ASSIGN_OR_RETURN(Replay replay, Replay::build({judged, &judged->trace}, judged->analysis, options, &progress));
    return TryPredictions(std::move(replay));
}

std::optional<PredictedShare> TryPredictions::predict(const LoaderSettings& asItIs,
                                                      const LoaderSettings& settings) const
{
    std::vector<Change> changes;
    if (settings.pinMemory && !asItIs.pinMemory)
        changes.push_back({ChangeKind::Pin});
    if (settings.nonBlocking && !asItIs.nonBlocking)
        changes.push_back({ChangeKind::NonBlocking});
    if (settings.workers != asItIs.workers)
        changes.push_back({ChangeKind::Workers, settings.workers});
    // Of the other settings a replay knows nothing.
    LoaderSettings known = asItIs;
    known.pinMemory = settings.pinMemory;
    known.nonBlocking = settings.nonBlocking;
    known.workers = settings.workers;
    if (changes.empty() || countChanges(known, settings) > 0)
        return std::nullopt;
    const Result<Prediction> predicted = m_replay.predict(changes);
    if (!predicted.ok() || predicted.value().stepNsReplayed <= 0)
        return std::nullopt;
    const auto share = [&](std::int64_t ns) {
        return static_cast<double>(ns) / static_cast<double>(predicted.value().stepNsReplayed);
    };
    return PredictedShare{share(predicted.value().stepNsPredicted), share(predicted.value().lowNs),
                          share(predicted.value().highNs)};
}

}  // namespace overlane
