#include "core/replay/easiest_change.h"

#include <utility>

namespace overlane
{

Result<std::optional<Prediction>> easiestChange(std::shared_ptr<const Trace> trace, const Analysis& analysis,
                                                const Verdict& verdict, const ReplayOptions& options,
                                                Progress* progress)
{
    constexpr std::size_t kMostEvents = 300'000;
    if (verdict.tone != VerdictTone::Problem || trace->eventCount() > kMostEvents)
        return std::optional<Prediction>();
    const Result<Replay> replay = Replay::build(std::move(trace), analysis, options, progress);
    if (!replay.ok())
        return replay.isCancelled() ? Result<std::optional<Prediction>>(replay.failure()) : std::optional<Prediction>();
    Result<std::optional<Prediction>> found = replay.value().easiest(progress);
    if (!found.ok() && !found.isCancelled())
        return std::optional<Prediction>();
    return found;
}

}  // namespace overlane
