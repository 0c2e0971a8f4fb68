#include "core/watch/window_history.h"

#include <algorithm>
#include <utility>

#include "core/base/statistics.h"
#include "core/compare/speed.h"

namespace overlane
{

Claim WindowHistory::claimOfWindow(const std::vector<double>& stepsNs) const
{
    std::size_t compared = 0, higher = 0, lower = 0;
    for (const Kept& kept : m_windows) {
        const RankTest test = rankTest(kept.stepsNs, stepsNs);
        const Claim claim = claimOf(kept.stepsNs.size(), stepsNs.size(), test, test.p);
        compared += claim == Claim::TooFew ? 0 : 1;
        if (!isClaimed(claim) || aboutTheSame(median(kept.stepsNs), median(stepsNs)))
            continue;
        ++(claim == Claim::Higher ? higher : lower);
    }
    if (compared < kFewestForClaim)
        return Claim::TooFew;
    return higher == compared ? Claim::Higher : lower == compared ? Claim::Lower : Claim::WithinSpread;
}

WindowChange WindowHistory::add(const WindowFigures& window)
{
    WindowChange change;
    if (window.stepNs <= 0)
        return change;
    std::vector<std::int64_t> times;
    times.reserve(m_windows.size());
    for (const Kept& kept : m_windows)
        times.push_back(kept.stepNs);
    Kept kept{window.stepNs, window.stepsNs};
    kept.stepsNs.resize(std::min(kept.stepsNs.size(), kMostSteps));
    change.medianNs = median(times);
    change.share = shareOf(window.stepNs - change.medianNs, change.medianNs);
    change.claim = claimOfWindow(kept.stepsNs);
    if (change.isWorse()) {
        m_slower.push_back(std::move(kept));
        if (m_slower.size() >= kSettled)
            m_windows = std::exchange(m_slower, {});
        return change;
    }
    m_slower.clear();
    m_windows.push_back(std::move(kept));
    if (m_windows.size() > kMostWindows)
        m_windows.pop_front();
    return change;
}

}  // namespace overlane
