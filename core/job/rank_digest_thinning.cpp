#include "core/job/rank_digest_thinning.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace overlane
{

void thinSteps(RankDigest& digest, std::size_t most)
{
    if (digest.steps.size() <= most)
        return;
    std::int64_t stride = 1;
    while (digest.steps.size() / static_cast<std::size_t>(stride) > most && stride < (std::int64_t{1} << 40))
        stride *= 2;
    std::vector<DigestStep> kept;
    for (const DigestStep& step : digest.steps)
        if (step.number % stride == 0)
            kept.push_back(step);
    if (kept.empty() || kept.size() > most) {
        kept.clear();
        const std::size_t each = most == 0 ? 0 : (digest.steps.size() + most - 1) / most;
        for (std::size_t at = 0; each > 0 && at < digest.steps.size(); at += each)
            kept.push_back(digest.steps[at]);
    }
    digest.stepsLeftOut += static_cast<std::int64_t>(digest.steps.size() - kept.size());
    digest.steps = std::move(kept);
}

void cutCollectives(RankDigest& digest, std::size_t most)
{
    if (digest.collectives.size() <= most)
        return;
    std::size_t kept = most;
    // The first that was left out lies in a step: that step goes as a whole, unless nothing were left.
    const std::int64_t cutNs = digest.collectives[most].startNs;
    const auto after =
        std::upper_bound(digest.steps.begin(), digest.steps.end(), cutNs,
                         [](std::int64_t time, const DigestStep& step) { return time < step.interval.startNs; });
    if (after != digest.steps.begin()) {
        const std::int64_t stepNs = std::prev(after)->interval.startNs;
        const auto first =
            std::lower_bound(digest.collectives.begin(), digest.collectives.begin() + static_cast<std::ptrdiff_t>(most),
                             stepNs, [](const DigestCollective& one, std::int64_t time) { return one.startNs < time; });
        if (first != digest.collectives.begin())
            kept = static_cast<std::size_t>(first - digest.collectives.begin());
    }
    digest.collectivesLeftOut += static_cast<std::int64_t>(digest.collectives.size() - kept);
    digest.collectives.resize(kept);
}

}  // namespace overlane
